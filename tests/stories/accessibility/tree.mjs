// @ts-check
/**
 * What assistive technology is given of the frame: Chromium's and Firefox's own trees in the same words, one line for each
 * node. WebKit tells role and name of single elements alone. Digits of values are hidden.
 */

/** What is kept of a node. Boxes without a meaning of their own are left out; their children are not. */
const ROLES = ['document', 'form', 'group', 'textbox', 'radio', 'button', 'status', 'text'];

/** Nodes that hold no others for us: what is in them is their name or value. */
const LEAVES = ['textbox', 'radio', 'button', 'text'];

/**
 * @typedef {object} Node
 * @property {string} role
 * @property {string} name
 * @property {string} description
 * @property {string} value
 * @property {string[]} states
 * @property {Node[]} children
 */

/**
 * The tree of the widget's frame, as text.
 *
 * @param {import('../shared/page.mjs').Page} page
 * @param {string} frame
 */
export async function tree(page, frame) {
  const { name } = page.engine;
  const root = await (name === 'chromium' ? fromChromium : fromFirefox)(/** @type {any} */ (page), frame);
  return root ? `${write(root, '').join('\n')}\n` : '';
}

/** Lets go of what keeps the trees up to date: it costs every page that comes after. @param {any} page */
export async function leave(page) {
  await page.engine.inside?.('globalThis.accessibilityOfStories = null; Cu.forceGC();');
}

/**
 * Role and name of whatever has to have a name, as WebKit tells them, in the order of the page.
 *
 * @param {any} page
 * @param {string} frame
 */
export async function named(page, frame) {
  const lines = [];
  for (const element of await page.evaluate(visible, 'fieldset, input, button, [role]', frame)) {
    const [id] = Object.values(element);
    lines.push(line(await page.session.send('role', { id }), await page.session.send('name', { id })));
  }
  return lines.join('\n');
}

/** The lines of a tree that `named` can answer. @param {string} tree */
export function namedOf(tree) {
  return tree
    .split('\n')
    .map((text) => /^ *((?:group|textbox|radio|button|status)(?: "[^"]*")?)/.exec(text)?.[1])
    .filter((text) => text !== undefined)
    .join('\n');
}

/** @param {string} selector */
const visible = (selector) => [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility());

/** @param {string} role @param {string} name */
const line = (role, name) => (name ? `${role} ${JSON.stringify(name)}` : role);

/** @param {Node} node @param {string} indent @returns {string[]} */
function write({ role, name, description, value, states, children }, indent) {
  const isKept = ROLES.includes(role);
  const inner = LEAVES.includes(role) ? [] : children.flatMap((child) => write(child, isKept ? `${indent}  ` : indent));
  if (!isKept || (role === 'text' && !name.trim())) return inner;
  const parts = [line(role, role === 'form' ? '' : name)];
  if (description) parts.push(`described ${JSON.stringify(description)}`);
  if (role === 'textbox' && value) parts.push(`value ${JSON.stringify(value.replace(/\d/g, '•'))}`);
  return [indent + [...parts, ...states].join(', '), ...inner];
}

/** @param {import('../shared/chromium.mjs').ChromiumPage} page @param {string} frame @returns {Promise<Node | undefined>} */
async function fromChromium(page, frame) {
  const session = await page.frameProtocol(frame);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  await session.detach();
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  /** @param {typeof nodes[number]} node @returns {Node} */
  const read = (node) => {
    const properties = Object.fromEntries((node.properties ?? []).map(({ name, value }) => [name, value.value]));
    const role = String(node.role?.value);
    return {
      role: node.ignored ? '' : ({ RootWebArea: 'document', StaticText: 'text' }[role] ?? role),
      name: String(node.name?.value ?? ''),
      description: String(node.description?.value ?? ''),
      value: String(node.value?.value ?? ''),
      states: [
        properties.focusable && role !== 'RootWebArea' && 'focusable',
        properties.focused && role !== 'RootWebArea' && 'focused',
        properties.required && 'required',
        properties.invalid === 'true' && 'invalid',
        properties.readonly && 'read only',
        properties.disabled && 'disabled',
        properties.checked === 'true' && 'checked',
        properties.busy && 'busy',
        properties.live && `live ${properties.live}`,
      ].filter((state) => typeof state === 'string'),
      children: (node.childIds ?? []).flatMap((id) => byId.get(id) ?? []).map(read),
    };
  };
  return read(nodes[0]);
}

/** Firefox's tree of the whole window, where the frames of other processes hang in their places. */
const FIREFOX = `
  const service = Cc['@mozilla.org/accessibilityService;1'].getService(Ci.nsIAccessibilityService);
  // It works for as long as somebody holds it.
  globalThis.accessibilityOfStories = service;
  const roles = { entry: 'textbox', pushbutton: 'button', radiobutton: 'radio', grouping: 'group', statusbar: 'status', 'text leaf': 'text' };
  const read = (accessible) => {
    const state = {}, extra = {};
    accessible.getState(state, extra);
    const has = [...service.getStringStates(state.value, extra.value)];
    const attributes = Object.fromEntries([...(accessible.attributes?.enumerate() ?? [])].map(({ key, value }) => [key, value]));
    const role = service.getStringRole(accessible.role);
    const isDocument = role === 'document';
    const children = [];
    for (let child = accessible.firstChild; child; child = child.nextSibling) children.push(read(child));
    return {
      role: roles[role] ?? role,
      name: accessible.name ?? '',
      description: accessible.description ?? '',
      value: accessible.value ?? '',
      states: [
        has.includes('focusable') && !isDocument && 'focusable',
        has.includes('focused') && !isDocument && 'focused',
        has.includes('required') && 'required',
        has.includes('invalid') && 'invalid',
        has.includes('readonly') && !isDocument && 'read only',
        has.includes('unavailable') && 'disabled',
        has.includes('checked') && 'checked',
        has.includes('busy') && 'busy',
        attributes.live && 'live ' + attributes.live,
      ].filter(Boolean),
      children,
    };
  };
  const find = (node) => {
    if (node.role === 'internal frame' && node.name) return node.children[0];
    for (const child of node.children) {
      const found = find(child);
      if (found) return found;
    }
  };
  const window = service.getAccessibleFor(gBrowser.selectedBrowser);
  return window && find(read(window));
`;

/** @param {{ engine: { inside(script: string): Promise<Node | undefined> } }} page */
const fromFirefox = (page) => page.engine.inside(FIREFOX);
