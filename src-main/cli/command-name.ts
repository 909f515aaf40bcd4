import { basename, isAbsolute, relative } from 'node:path';

/**
 * The command that starts this program again: `rowbench` where a package manager put it on the path, else
 * `node dist/cli.js` as seen from the working folder.
 */
export function commandName(script: string, workingFolder: string): string {
  if (!/\.m?js$/.test(basename(script))) return basename(script);
  const fromHere = relative(workingFolder, script);
  const path = fromHere.startsWith('..') || isAbsolute(fromHere) ? script : fromHere;
  return `node ${/\s/.test(path) ? `"${path}"` : path}`;
}
