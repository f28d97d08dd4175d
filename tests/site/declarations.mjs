// @ts-check
/**
 * The npm package's declarations as pages in Markdown, one for each entry: prints `[[path, text], …]`. Fails when something
 * exported has no comment.
 *
 * Over TypeScript's own parser, and not by one of the well-known tools: types stand in the pages as they are written, and
 * lists of words with the meaning of each, which those tools take apart.
 */
import { readFileSync } from 'node:fs';
import ts from 'typescript';

/** @param {string} file */
const read = (file) => readFileSync(new URL(`../../pkg-template/${file}`, import.meta.url), 'utf8');

const { name: packageName, exports } = JSON.parse(read('package.json'));

/** Every entry with types, and the file that has them: `react` and `react.d.ts`. */
const ENTRIES = Object.entries(exports).flatMap(([entry, { types }]) => (types ? [{ entry: entry.replace('.', packageName), file: types.slice(2) }] : []));

/** Files that entries pass on as a whole. */
const SHARED = [{ entry: 'Types of the interface', file: 'wire.d.ts' }];

const FILES = [...ENTRIES, ...SHARED].map(({ entry, file }) => {
  const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true);
  return { entry, file, page: `${file.replace(/\.d\.ts$/, '').replaceAll('/', '-').replace(/^index$/, 'widget')}.md`, source, names: exported(source) };
});
const bare = FILES.flatMap(({ file, names }) => [...names].filter(([, node]) => !about(node)).map(([name]) => `${file}: ${name}`));
if (bare.length > 0) {
  console.error(`without a comment in pkg-template: ${bare.join(', ')}`);
  process.exit(1);
}
const pages = FILES.map((file) => [`api/js/${file.page}`, page(file)]);
console.log(JSON.stringify([['api/js/index.md', index()], ...pages]));

/** What a file exports by name. @param {import('typescript').SourceFile} source */
function exported(source) {
  /** @type {Map<string, import('typescript').Statement>} */
  const names = new Map();
  for (const statement of source.statements) {
    if (!ts.canHaveModifiers(statement) || !ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) continue;
    const declared = ts.isVariableStatement(statement) ? statement.declarationList.declarations[0].name : /** @type {any} */ (statement).name;
    if (declared && !names.has(declared.text)) names.set(declared.text, statement);
  }
  return names;
}

function index() {
  const rows = FILES.map(({ entry, page, source, names }) => {
    const list = [...names.keys()].map((name) => `[\`${name}\`](${page}#${name.toLowerCase()})`).join(', ');
    return `## [${entry.startsWith(packageName) ? `\`${entry}\`` : entry}](${page})\n\n${head(source)}\n\n${list}\n`;
  });
  return `# JavaScript\n\nWhat the npm package \`${packageName}\` exports, by entry, from the declarations that it ships.\n\n${rows.join('\n')}`;
}

/** @param {typeof FILES[number]} file */
function page(file) {
  const { entry, source, names } = file;
  let text = `# ${entry.startsWith(packageName) ? `\`${entry}\`` : entry}\n\n${prose(head(source), file)}\n`;
  for (const statement of source.statements) {
    const other = ts.isExportDeclaration(statement) && FILES.find(({ file }) => file === fileOf(statement.moduleSpecifier));
    if (!other) continue;
    const some = statement.exportClause && ts.isNamedExports(statement.exportClause) ? statement.exportClause.elements : null;
    const list = some?.map(({ name: { text } }) => `[\`${text}\`](${other.page}#${text.toLowerCase()})`).join(', ');
    text += list ? `\nTogether with ${list}.\n` : `\nTogether with all of [${other.entry}](${other.page}).\n`;
  }
  for (const [name, node] of names) text += `\n## ${name}\n\n${declaration(name, node, file)}`;
  for (const node of globals(source)) text += `\n## Global \`${node.name.text}\`\n\n${members(node.members, file)}`;
  return text;
}

/** What a file adds to the page's own types, with a comment. @param {import('typescript').SourceFile} source */
function globals(source) {
  const blocks = source.statements.flatMap((statement) => (ts.isModuleDeclaration(statement) && statement.body && ts.isModuleBlock(statement.body) ? [...statement.body.statements] : []));
  return blocks.filter(ts.isInterfaceDeclaration).filter(({ members }) => members.some((member) => about(member)));
}

/** @param {string} name @param {import('typescript').Statement} node @param {typeof FILES[number]} file */
function declaration(name, node, file) {
  const told = `${prose(about(node), file)}\n\n`;
  if (ts.isInterfaceDeclaration(node)) {
    const more = node.heritageClauses?.flatMap(({ types }) => types.map((type) => typed(type.getText(), file))) ?? [];
    return `${told}${more.length > 0 ? `Has all of ${more.join(' and ')}.\n\n` : ''}${members(node.members, file)}`;
  }
  if (ts.isClassDeclaration(node)) return told + members(node.members, file);
  if (ts.isTypeAliasDeclaration(node)) {
    const arms = ts.isUnionTypeNode(node.type) ? words(node.type, file) : null;
    if (arms) return `${told}| One of | Meaning |\n|---|---|\n${arms.map(([arm, meaning]) => `| ${cell(arm)} | ${cell(meaning)} |`).join('\n')}\n`;
    return `${told}${cell(typed(node.type.getText(), file)).replaceAll('\\|', '|')}\n`;
  }
  // A function has as many declarations as it has ways to be called.
  const all = file.source.statements.filter((other) => ts.isFunctionDeclaration(other) && other.name?.text === name);
  const nodes = all.length > 0 ? all : [node];
  return nodes
    .map((node, at) => `${at === 0 ? told : `${prose(about(node), file)}\n\n`}\`\`\`ts\n${node.getText().replace(/^export (declare )?/, '').replace(/\{@link ([\w.]+)\}/g, '`$1`')}\n\`\`\`\n\n${seen(node, file)}${tags(node, file)}`)
    .join('\n');
}

/**
 * Members as a table; those that are called, or have much to be said, as a list.
 *
 * @param {import('typescript').NodeArray<import('typescript').TypeElement | import('typescript').ClassElement>} list
 * @param {typeof FILES[number]} file
 */
function members(list, file) {
  const open = list.filter((node) => !ts.getModifiers(/** @type {any} */ (node))?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword));
  const rows = open.map((node) => {
    const property = ts.isPropertySignature(node) || ts.isPropertyDeclaration(node);
    const name = node.name ? node.name.getText() : '';
    const mark = property && node.questionToken ? '?' : '';
    const isObject = property && node.type && ts.isTypeLiteralNode(node.type) && node.type.getText().includes('/**');
    const type = property && node.type && !isObject ? typed(node.type.getText(), file) : typed(node.getText(), file);
    const told = prose(about(node), file);
    return { name: `\`${name}${mark}\``, type, told, tags: tags(node, file), plain: property && !isObject && !/\n\n|```/.test(told) };
  });
  if (rows.every(({ plain }) => plain)) {
    const lines = rows.map(({ name, type, told }) => `| ${name} | ${cell(type)} | ${cell(told)} |`);
    return lines.length > 0 ? `| Member | Type | Meaning |\n|---|---|---|\n${lines.join('\n')}\n` : '';
  }
  const indent = (/** @type {string} */ text) => text.trim().replaceAll('\n', '\n  ');
  return rows
    .map(({ name, type, told, tags, plain }) => `- ${plain ? `${name}: ${type}` : type}\n${[told, tags].map((text) => text && `\n  ${indent(text)}\n`).join('')}`)
    .join('\n');
}

/** The arms of a union with their comments; nothing where none has one. @param {import('typescript').UnionTypeNode} union @param {typeof FILES[number]} file */
function words(union, file) {
  let before = union.pos;
  const arms = union.types.map((arm) => {
    const between = file.source.text.slice(before, arm.getStart());
    before = arm.end;
    const comment = /\/\*\*([^]*?)\*\//.exec(between)?.[1] ?? '';
    const open = arm.getText() === '(string & {})';
    return [open ? 'any other text' : typed(arm.getText(), file), prose(comment.replace(/\n\s*\*/g, ' ').replace(/\s+/g, ' ').trim(), file)];
  });
  return arms.some(([, meaning]) => meaning) ? arms : null;
}

/** What is said of a node, without its tags. @param {import('typescript').Node} node */
function about(node) {
  const comments = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  return ts.getTextOfJSDocComment(comments.at(-1)?.comment) ?? '';
}

/** `@param`, `@returns` and `@throws` as a list. @param {import('typescript').Node} node @param {typeof FILES[number]} file */
function tags(node, file) {
  const lines = ts.getJSDocTags(node).map((tag) => {
    const told = prose((ts.getTextOfJSDocComment(tag.comment) ?? '').replace(/\s+/g, ' '), file);
    if (ts.isJSDocParameterTag(tag)) return `- \`${tag.name.getText()}\`: ${told}`;
    if (ts.isJSDocThrowsTag(tag)) return `- Throws ${tag.typeExpression ? `${link(tag.typeExpression.type.getText(), file)} ` : ''}${told}`;
    return `- ${tag.tagName.text === 'returns' ? 'Answers' : tag.tagName.text}: ${told}`;
  });
  return lines.length > 0 ? `${lines.join('\n')}\n` : '';
}

/** The comment at the head of a file: the first one that belongs to nothing. @param {import('typescript').SourceFile} source */
function head(source) {
  const first = /\/\*\*([^]*?)\*\//.exec(source.text);
  return first ? first[1].replace(/^\s*\* ?/gm, '').trim() : '';
}

/** Text with its links. @param {string} text @param {typeof FILES[number]} file */
function prose(text, file) {
  return text.replace(/\{@link\s+([\w.]+)\s*\}/g, (_, name) => link(name, file)).trim();
}

/** A name as code, with a link where it is declared in the package. @param {string} name @param {typeof FILES[number]} file */
function link(name, file) {
  const [whole] = name.split('.');
  const here = file.names.has(whole) ? file : FILES.find(({ file: other }) => imported(file.source).get(whole) === other);
  const shared = here ?? FILES.find(({ names, file: other }) => names.has(whole) && passedOn(file.source).includes(other));
  if (!shared || !shared.names.has(whole)) return `\`${name}\``;
  return `[\`${name}\`](${shared === file ? '' : shared.page}#${whole.toLowerCase()})`;
}

/** A type or a signature as code, in which names of the package are links. @param {string} text @param {typeof FILES[number]} file */
function typed(text, file) {
  const bare = text.replace(/\/\*\*[^]*?\*\//g, '').replace(/\s+/g, ' ').replace(/;$/, '');
  // What may be left out may be undefined; it need not be said in every row.
  const parts = bare.replace(/ \| undefined$/, '').split(/('[^']*'|\b[A-Z]\w*\b)/);
  let code = '';
  let told = '';
  const flush = () => {
    const [, start = '', inner = '', end = ''] = /^(\s*)([^]*?)(\s*)$/.exec(code) ?? [];
    told += inner ? `${start}\`${inner}\`${end}` : code;
    code = '';
  };
  for (const part of parts) {
    const linked = /^[A-Z]/.test(part) ? link(part, file) : '';
    if (linked.startsWith('[')) {
      flush();
      told += linked;
    } else code += part;
  }
  flush();
  return told;
}

/** Links to the types of a signature. @param {import('typescript').Node} node @param {typeof FILES[number]} file */
function seen(node, file) {
  const names = new Set(bareText(node).match(/\b[A-Z]\w*\b/g) ?? []);
  const links = [...names].map((name) => link(name, file)).filter((text) => text.startsWith('['));
  return links.length > 0 ? `With ${links.join(', ')}.\n\n` : '';
}

/** The source of a node without its comments. @param {import('typescript').Node} node */
function bareText(node) {
  return node.getText().replace(/^\s*\/\*\*[^]*?\*\/\n?/gm, '');
}

/** Names that a file imports from others of the package. @param {import('typescript').SourceFile} source */
function imported(source) {
  const names = new Map();
  for (const statement of source.statements) {
    const bindings = ts.isImportDeclaration(statement) && statement.importClause?.namedBindings;
    if (bindings && ts.isNamedImports(bindings)) for (const { name } of bindings.elements) names.set(name.text, fileOf(statement.moduleSpecifier));
  }
  return names;
}

/** Files that a file passes on as a whole. @param {import('typescript').SourceFile} source */
function passedOn(source) {
  return source.statements.flatMap((statement) => (ts.isExportDeclaration(statement) && !statement.exportClause ? [fileOf(statement.moduleSpecifier)] : []));
}

/** `./index.js` is declared in `index.d.ts`. @param {import('typescript').Expression | undefined} specifier */
function fileOf(specifier) {
  return specifier && ts.isStringLiteral(specifier) ? specifier.text.replace(/^\.\//, '').replace(/\.js$/, '.d.ts') : '';
}

/** Text of a table's cell. @param {string} text */
function cell(text) {
  return text.replace(/\s+/g, ' ').replaceAll('|', '\\|');
}
