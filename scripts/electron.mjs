// Electron's binary: the one that is there, else one that is fetched on first use.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './process.mjs';

const folder = join(root, 'node_modules', 'electron');
/** A machine without the way to it would otherwise wait for minutes. */
const longestDownloadMs = 120_000;

/** The path of a binary that is there already. */
export function findElectron() {
  const file = join(folder, 'path.txt');
  if (!existsSync(file)) return undefined;
  const program = join(folder, 'dist', readFileSync(file, 'utf8').trim());
  return existsSync(program) ? program : undefined;
}

/** `program`, or in words the `reason` why there is none. */
export async function provideElectron() {
  if (process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY)
    return { reason: 'this machine has no screen.' };
  if (process.platform === 'linux' && process.getuid() === 0)
    return { reason: 'its sandbox does not run as root.' };
  const found = findElectron();
  if (found !== undefined) return { program: found };
  console.log('Fetching Electron, once…');
  const download = spawn(process.execPath, [join(folder, 'install.js')], {
    stdio: 'ignore',
    timeout: longestDownloadMs,
  });
  await new Promise((resolve) => download.once('close', resolve));
  const program = findElectron();
  return program === undefined
    ? { reason: 'Electron could not be fetched here (github.com has its binary).' }
    : { program };
}
