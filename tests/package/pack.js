/**
 * The package as a shop gets it: `cargo xtask package`'s tarball when `CARD_WIDGET_TARBALL` names it, else packed here
 * from `pkg-template` and the loader, the same way.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { loaderModule } from '../loader/world.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The version that stands in the packed manifest when the package is packed here. */
const VERSION = '9.8.7';

/**
 * Installs the package into a fresh, empty project.
 * @returns {{ project: string, installed: string, version: string, remove: () => void }}
 */
export function installPackage() {
  const project = mkdtempSync(join(tmpdir(), 'card-widget-package-'));
  const tarball = process.env.CARD_WIDGET_TARBALL ? resolve(process.env.CARD_WIDGET_TARBALL) : pack(project);
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'a-shop', private: true, type: 'module' }));
  npm(project, 'install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', tarball);
  const installed = join(project, 'node_modules/card-widget');
  const { version } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  return { project, installed, version, remove: () => rmSync(project, { recursive: true, force: true }) };
}

/** Packs `pkg-template` with the loader into `folder`; returns the tarball. */
function pack(folder) {
  const staged = join(folder, 'staged');
  cpSync(join(root, 'pkg-template'), staged, { recursive: true });
  writeFileSync(join(staged, 'loader.js'), loaderModule(VERSION));
  // As `cargo xtask cores` left them.
  for (const file of ['rules/rules-core.js', 'client/client-core.js', 'client/client-core.module.js', 'client/client-core.wasm']) {
    cpSync(join(root, 'target/xtask', file), join(staged, basename(file)));
  }
  cpSync(join(root, 'LICENSE'), join(staged, 'LICENSE'));
  const manifest = JSON.parse(readFileSync(join(staged, 'package.json'), 'utf8'));
  writeFileSync(join(staged, 'package.json'), JSON.stringify({ ...manifest, version: VERSION }));
  npm(staged, 'pack', '--pack-destination', folder);
  return join(folder, `card-widget-${VERSION}.tgz`);
}

/** Runs npm quietly; its words come up only when it fails. */
function npm(cwd, ...args) {
  execFileSync('npm', args, { cwd, stdio: 'pipe' });
}

/**
 * A script of the project with all that it imports, as a shop's bundler would write it.
 *
 * @param {{ project: string }} shop
 * @param {string} contents
 * @param {'iife' | 'esm'} [format]
 */
export function bundle({ project }, contents, format = 'iife') {
  const [file] = buildSync({
    stdin: { contents, resolveDir: project, loader: 'jsx' },
    // React lies beside the tests' other tools.
    nodePaths: [join(root, 'tests/node_modules')],
    define: { 'process.env.NODE_ENV': '"development"' },
    jsx: 'automatic',
    bundle: true,
    format,
    target: 'es2022',
    write: false,
    logLevel: 'silent',
  }).outputFiles;
  return file.text;
}
