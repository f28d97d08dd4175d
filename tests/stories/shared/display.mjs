// @ts-check
/** A screen that nobody sees (Xvfb), and a mouse on it that browsers cannot tell from a real one (xdotool). */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';

const run = promisify(execFile);

export class Display {
  /** @param {import('node:child_process').ChildProcess} child @param {string} name */
  constructor(child, name) {
    this.child = child;
    /** What a program finds the screen by. */
    this.environment = { ...process.env, DISPLAY: name, GDK_BACKEND: 'x11', MOZ_ENABLE_WAYLAND: '0', LIBGL_ALWAYS_SOFTWARE: '1' };
  }

  static async open() {
    const child = spawn(process.env.XVFB ?? 'Xvfb', ['-displayfd', '3', '-screen', '0', '1400x1100x24', '-nolisten', 'tcp', '-noreset'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    });
    process.once('exit', () => child.kill());
    const pipe = /** @type {import('node:stream').Readable} */ (child.stdio[3]);
    const number = await Promise.race([
      once(pipe, 'data').then(String),
      once(child, 'exit').then(() => Promise.reject(new Error('Xvfb ended while starting'))),
    ]);
    const display = new Display(child, `:${number.trim()}`);
    // Without a window manager the window below the mouse has the keyboard: a corner that every window covers.
    await display.mouse('mousemove', 20, 20);
    return display;
  }

  /** Runs xdotool with these words. @param {(string | number)[]} words */
  async mouse(...words) {
    await run(process.env.XDOTOOL ?? 'xdotool', words.map(String), { env: this.environment });
  }

  close() {
    this.child.kill();
  }
}
