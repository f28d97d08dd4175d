// @ts-check
/**
 * The code that a shop would write for the parameters chosen: what has its default is left out.
 *
 * @param {'script' | 'npm'} variant
 * @param {string} service
 * @param {{ [name: string]: unknown }} params
 */
export function snippet(variant, service, params) {
  const init = [
    ...Object.entries(params).map(([name, value]) => `  ${name}: ${write(value, '  ')},`),
    '  onToken({ token, expires_at, card_mask }) {',
    '    // Send the token to your server. It is good for one hour and one successful payment.',
    '  },',
    '  onError({ code, message, retryable }) {',
    '    // The form has told the person already.',
    '  },',
  ];
  if (variant === 'npm') {
    return [
      "import { loadCardWidget } from 'card-widget';",
      '',
      `const CardWidget = await loadCardWidget('${service}');`,
      'const widget = CardWidget.init({',
      ...init,
      '});',
      'widget.open();',
    ].join('\n');
  }
  return [
    '<div id="card"></div>',
    '<script>',
    '  function __onWidgetReady() {',
    '    CardWidget.init({',
    ...init.map((line) => `    ${line}`),
    '    }).open();',
    '  }',
    '</script>',
    `<script async src="${service}/widget/v1/card-widget.js"></script>`,
  ].join('\n');
}

/**
 * A value as a JavaScript literal. Nothing in it can end a script element.
 *
 * @param {unknown} value
 * @param {string} indent
 * @returns {string}
 */
function write(value, indent) {
  if (Array.isArray(value)) return `[${value.map((item) => write(item, indent)).join(', ')}]`;
  if (Object(value) === value) {
    const members = Object.entries(/** @type {object} */ (value)).map(
      ([name, member]) => `${/^[a-z]\w*$/i.test(name) ? name : write(name, '')}: ${write(member, indent + '  ')}`,
    );
    const line = `{ ${members.join(', ')} }`;
    if (line.length < 80) return line;
    return `{\n${members.map((member) => `${indent}  ${member},\n`).join('')}${indent}}`;
  }
  if (typeof value !== 'string') return String(value);
  const json = JSON.stringify(value).replaceAll('<', '\\u003c');
  return json.includes("'") ? json : `'${json.slice(1, -1).replaceAll('\\"', '"')}'`;
}
