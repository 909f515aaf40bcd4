// Installs the packages that the lockfile names, unless exactly those are installed already.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { npm, root, run } from './process.mjs';

/** package.json's `engines`, for people whose npm does not look at it. */
const oldestNode = [20, 19];

export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])) return;
  console.error(
    `Rowbench needs Node ${oldestNode.join('.')} or newer; this is Node ${process.versions.node}.`,
  );
  process.exit(1);
}

/** Throws when npm fails. */
export async function installWhatIsMissing() {
  requireNode();
  if (isInstalled()) return false;
  console.log('Installing packages (npm ci)…');
  await run(npm, ['ci', '--no-audit', '--no-fund', '--loglevel', 'error']);
  return true;
}

/** npm notes in node_modules/.package-lock.json what it installed: compared package by package, by hash. */
function isInstalled() {
  const wanted = packagesOf('package-lock.json');
  const present = packagesOf('node_modules/.package-lock.json');
  if (wanted === undefined || present === undefined) return false;
  return Object.entries(wanted).every(([path, { version, integrity, optional }]) => {
    if (path === '') return true;
    const installed = present[path];
    // Packages for other platforms are optional and left out.
    if (installed === undefined) return optional === true;
    return installed.version === version && installed.integrity === integrity;
  });
}

function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(join(root, file), 'utf8')).packages;
  } catch {
    return undefined; // absent or half-written: then it is installed anew
  }
}
