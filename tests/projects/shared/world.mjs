// @ts-check
/**
 * What every project needs: a folder of its own with the packed package in it, the sandbox, a browser, and the tools of
 * `package.json`, which lie in the folder above the projects, where each of them finds them.
 */
import { execFile, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';

const here = fileURLToPath(new URL('../', import.meta.url));
/** Where the tools are installed, by the suite. */
export const shelf = fileURLToPath(new URL('../../../target/projects/', import.meta.url));
export const tarball = /** @type {string} */ (process.env.CARD_WIDGET_TARBALL);
const exec = promisify(execFile);

/** A fresh copy of a project, with the package installed. @param {string} name */
export async function install(name) {
  const folder = join(shelf, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(join(here, name), folder, { recursive: true });
  await run(folder, 'npm', 'install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', '--no-package-lock', tarball);
  return folder;
}

/** A tool of the shelf. @param {string} name */
export const tool = (name) => join(shelf, 'node_modules/.bin', name);

/** Runs a program to its end and answers what it wrote. @param {string} folder @param {string} program @param {string[]} args */
export async function run(folder, program, ...args) {
  try {
    const { stdout } = await exec(program, args, { cwd: folder, env: environment(), timeout: 120_000, maxBuffer: 2 ** 24 });
    return stdout;
  } catch (error) {
    const { stdout, stderr } = /** @type {any} */ (error);
    throw new Error(`${program} ${args.join(' ')}\n${stdout}\n${stderr}`, { cause: error });
  }
}

/** No tool asks its maker for news, or tells it anything. */
const environment = (more = {}) => ({ ...process.env, NEXT_TELEMETRY_DISABLED: '1', DENO_NO_UPDATE_CHECK: '1', DO_NOT_TRACK: '1', NO_COLOR: '1', NODE_OPTIONS: '', ...more });

/**
 * A program that serves, until `stop()`; resolves when its address answers.
 *
 * @param {string} folder
 * @param {string} address
 * @param {string} program
 * @param {string[]} args
 */
export async function serve(folder, address, program, ...args) {
  let log = '';
  const child = spawn(program, args, { cwd: folder, env: environment({ PORT: new URL(address).port }), stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => { log += text; });
  child.once('error', (error) => { log += error; });
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    setTimeout(() => child.kill('SIGKILL'), 3000).unref();
    await ended;
  };
  for (const end = Date.now() + 60_000; Date.now() < end; await sleep(50)) {
    if (child.exitCode !== null || child.pid === undefined) throw new Error(`${program} ended:\n${log}`);
    if (await fetch(address).then(({ ok }) => ok, () => false)) return { stop, log: () => log };
  }
  await stop();
  throw new Error(`${program} does not answer at ${address}:\n${log}`);
}

export async function freePort() {
  const server = createServer();
  await new Promise((resolve) => { server.listen(0, '127.0.0.1', () => resolve(undefined)); });
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  await new Promise((resolve) => { server.close(resolve); });
  return port;
}

/** The sandbox, on another site than the shops' 127.0.0.1. */
export async function openSandbox() {
  const data = join(shelf, 'sandbox');
  rmSync(data, { recursive: true, force: true });
  mkdirSync(data, { recursive: true });
  const port = await freePort();
  const binary = process.env.CARD_WIDGET_SERVICE ?? fileURLToPath(new URL('../../../target/debug/card-widget-service', import.meta.url));
  const args = ['serve', '--sandbox', '--listen', `127.0.0.1:${port}`, '--database', `sqlite:${join(data, 'sandbox.sqlite')}`];
  const { stop } = await serve(shelf, `http://localhost:${port}/healthz`, binary, ...args);
  return { origin: `http://localhost:${port}`, stop };
}

export const openBrowser = () => chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
});

/** Serves a folder as it lies there. @param {string} folder */
export async function serveFolder(folder) {
  /** @type {Record<string, string>} */
  const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.json': 'application/json' };
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://shop').pathname;
    const file = join(folder, path === '/' ? 'index.html' : path);
    if (!file.startsWith(folder) || !existsSync(file)) return response.writeHead(path === '/favicon.ico' ? 204 : 404).end();
    response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' }).end(readFileSync(file));
  });
  await new Promise((resolve) => { server.listen(0, '127.0.0.1', () => resolve(undefined)); });
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return { origin: `http://127.0.0.1:${port}`, close: () => { server.closeAllConnections(); server.close(); } };
}
