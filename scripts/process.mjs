// Child processes for the scripts: npm and the tools that it installed.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, setPriority } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** npm as a command and its first arguments: the one that started us, else the one on the path. */
export const npm = process.env.npm_execpath?.endsWith('.js')
  ? { command: process.execPath, first: [process.env.npm_execpath] }
  : { command: 'npm', first: [], shell: process.platform === 'win32' };

/**
 * A program that npm installed, without npm, which takes 0.4 s of processor time to start one. No shell: the arguments may
 * have spaces. @param file in node_modules
 */
export const tool = (file) => ({ command: process.execPath, first: [join(root, 'node_modules', file)] });

// As npm does: scripts of package.json find the tools by their names.
process.env.PATH = `${join(root, 'node_modules', '.bin')}${delimiter}${process.env.PATH}`;

/** A script of package.json, without npm. */
export const script = (name) => ({ command: scripts()[name], first: [], shell: true });

const scripts = () => JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts;

/** Runs to the end with our own input and output. Throws with the exit code when it fails. */
export async function run(program, args) {
  const { code } = await start(program, args, 'inherit');
  if (code !== 0) throw new Error(`${[...program.first.slice(1), ...args].join(' ')} ended with ${code}`);
}

/**
 * Runs to the end; gives its exit code and, with `pipe`, everything that it printed. With `niceness` it and what it
 * starts give way to others.
 */
export function start({ command, first, shell = false }, args, output, niceness = 0) {
  return new Promise((resolve, reject) => {
    const stdio = output === 'pipe' ? ['ignore', 'pipe', 'pipe'] : 'inherit';
    const child = spawn(command, [...first, ...args], { cwd: root, stdio, shell });
    if (niceness > 0 && child.pid !== undefined) setPriority(child.pid, niceness);
    let printed = '';
    const keep = (chunk) => (printed += chunk);
    child.stdout?.setEncoding('utf8').on('data', keep);
    child.stderr?.setEncoding('utf8').on('data', keep);
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code: code ?? signal, printed }));
  });
}

/** Time of all processors since the machine started, in ms. */
export function processorTimes() {
  const times = cpus().map((processor) => processor.times);
  const idle = times.reduce((sum, each) => sum + each.idle, 0);
  const all = times.reduce((sum, { user, nice, sys, idle, irq }) => sum + user + nice + sys + idle + irq, 0);
  return { idle, all };
}

/** `93 %`: how busy the processors were since then. */
export function busyShare(since) {
  const now = processorTimes();
  return `${Math.round(100 * (1 - (now.idle - since.idle) / Math.max(1, now.all - since.all)))} %`;
}

/** `1.2 s`, `3 m 04 s` */
export function seconds(sinceMs) {
  const total = (performance.now() - sinceMs) / 1000;
  if (total < 60) return `${total.toFixed(1)} s`;
  return `${Math.floor(total / 60)} m ${String(Math.floor(total % 60)).padStart(2, '0')} s`;
}
