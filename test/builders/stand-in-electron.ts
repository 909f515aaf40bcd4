// A folder in place of Electron's own, for packing where its binary is not available. It holds one fake program, which
// contains Electron's fuses.
import { appendFile, copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Marker that Electron's tools search for in the binary, then the version, number and states of the fuses. */
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
