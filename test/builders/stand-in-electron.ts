// A folder in place of Electron's own, for packing where its binary cannot be had: one program that is none, with the
// place in it where Electron's fuses are.
import { appendFile, copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';

/** What Electron's tools look for in the binary, then the version and number of the fuses, and their states. */
const fuseWire = `dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX\u0001\u0009101100100`;

/** Makes it; gives its path. */
export async function makeStandIn(parent: string): Promise<string> {
  const folder = join(parent, 'electron');
  await mkdir(folder);
  const program = join(folder, 'electron');
  await copyFile('/bin/true', program);
  await appendFile(program, fuseWire, 'latin1');
  return folder;
}
