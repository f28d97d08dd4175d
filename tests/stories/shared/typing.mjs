/** The sessions of `tests/vectors/typing`, with real keys, clicks and the clipboard. */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { cardForm } from './form.mjs';

const VECTORS = new URL('../../vectors/typing/', import.meta.url);

/** What our names for keys are on a keyboard. */
const KEYS = { cut: 'Control+x', paste: 'Control+v' };
/** More steps than a history holds. */
const ALL = 100;

/**
 * One test for each file, with its sessions on one page. The page has `#away`, an element to click that is none of the form,
 * and opens no widget itself.
 *
 * @param {import('./world.mjs').World} world
 * @param {{ page?: string, every?: number }} [options] `every`: only one session of so many.
 */
export function testSessions(world, { page = '/', every = 1 } = {}) {
  for (const file of readdirSync(VECTORS).filter((name) => name.endsWith('.json'))) {
    const { now, sessions } = JSON.parse(readFileSync(new URL(file, VECTORS), 'utf8'));
    world.test(file, async (t) => {
      let today = now;
      // The form judges dates by the time that its page brings along.
      world.front.rule(/^\/widget\/v1\/frame$/, async (request, pass) => {
        delete request.headers['accept-encoding'];
        const answer = await pass();
        const body = Buffer.from(answer.body.toString().replace(/("now":)\d+/, `$1${today}`));
        return { ...answer, body, headers: { ...answer.headers, 'content-length': String(body.length) } };
      });
      const visit = await world.visit(page);
      for (const [index, session] of sessions.entries()) {
        if (index % every || !session.name.includes(process.env.SESSION ?? '')) continue;
        await t.test(session.name, async (t) => {
          if (session.engines === false) return t.skip(`${world.engine}: keys cannot do it, or the browser has one history for all fields`);
          if (session.merges) return t.skip(`${world.engine}: may undo several steps at once`);
          today = session.now ?? now;
          await world.twice(t, () => carryOut(visit, session));
        });
      }
    });
  }
}

async function carryOut(page, session) {
  await page.evaluate(
    (params) => {
      window.widget?.close();
      window.heard.ready.length = 0;
      window.heard.changes.length = 0;
      openWidget(params);
    },
    { type: session.kind, brands: session.brands },
  );
  const form = await cardForm(page).ready();
  let field = form[session.field];
  await field.focus();
  for (const [index, step] of session.steps.entries()) {
    if (step.field) {
      field = form[step.field];
      await field.clickBehind();
    }
    for (const key of step.keys) await press(page, form, field, key);
    await expect(page, field, step, `step ${index + 1}, ${JSON.stringify(step.keys)}`);
    if (step.focus) field = form[step.focus];
  }
}

async function press(page, form, field, key) {
  const [, name, text] = /^(type|paste|select|choose):(.*)$/su.exec(key) ?? [];
  if (name === 'type') await page.type(text);
  else if (name === 'paste') {
    await page.copy(text);
    await page.press('Control+v');
  } else if (name === 'select') {
    const [start, end] = text.split('-').map(Number);
    await page.press('Home', ...Array(start).fill('ArrowRight'), ...Array(end - start).fill('Shift+ArrowRight'));
  } else if (name === 'choose') {
    await form.choose(text);
    // As it was left: a field that is focused by a script keeps its selection.
    await field.evaluate((input) => input.focus());
  } else if (key === 'blur') await page.click(await middle(page, '#away'));
  else if (key === 'undo all') await again(page, field, 'Control+z');
  else if (key === 'redo all') await again(page, field, 'Control+Shift+z');
  else await page.press(KEYS[key] ?? key);
}

async function middle(page, selector) {
  const { x, y, width, height } = await page.box(selector);
  return { x: x + width / 2, y: y + height / 2 };
}

/** Presses until nothing changes any more. */
async function again(page, field, key) {
  for (let count = 0, last; count < ALL; count += 1) {
    await page.press(key);
    const value = await field.value();
    if (value === last) return;
    last = value;
  }
  assert.fail(`${key} goes on for ever`);
}

/** Waits a moment for what the step says: a change travels to the shop's page. */
async function expect(page, field, step, where) {
  const expected = { value: step.value, error: step.error ?? null, state: step.state };
  if (step.caret !== undefined) expected.caret = step.caret;
  if (step.brand !== undefined) Object.assign(expected, { brand: step.brand, choices: step.choices ?? [] });
  if (step.focus !== undefined) expected.focus = step.focus;
  let found;
  for (const end = Date.now() + 1000; ; ) {
    found = await look(page, field, expected);
    if (JSON.stringify(found) === JSON.stringify(expected) || Date.now() > end) break;
  }
  assert.deepEqual(found, expected, where);
}

/** What there is, of what is expected. */
async function look(page, field, expected) {
  const shown = await field.evaluate((input) => ({
    value: input.value,
    start: input.selectionStart,
    end: input.selectionEnd,
    invalid: input.getAttribute('aria-invalid') === 'true',
    focus: document.activeElement?.id,
  }));
  const { fields, brand, choices } = await page.evaluate(
    () => window.heard.changes.at(-1) ?? { fields: {}, brand: null, choices: [] },
  );
  const { state = 'empty', error = null } = fields[field.name] ?? {};
  const found = {
    value: shown.value,
    // Shown to all, or to none.
    error: Boolean(error) === shown.invalid ? error : `${error}, but aria-invalid is ${shown.invalid}`,
    state: state === 'empty' ? 'incomplete' : state,
  };
  if ('caret' in expected) found.caret = shown.start === shown.end ? shown.start : [shown.start, shown.end];
  if ('brand' in expected) Object.assign(found, { brand, choices });
  if ('focus' in expected) found.focus = shown.focus;
  return found;
}
