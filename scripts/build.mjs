// Builds dist/ when a source is newer than the last build.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { npm, root, run } from './process.mjs';

const sources = [
  'src-main',
  'src-renderer',
  'package.json',
  'package-lock.json',
  'scripts/licences.ts',
  'vite.config.ts',
  'vite.worker.config.ts',
  'vite.preload.config.ts',
  'vite.renderer.config.mjs',
  'tsconfig.json',
];
const bundles = [
  'dist/cli.js',
  'dist/desktop.js',
  'dist/preload.cjs',
  'dist/row-worker.cjs',
  'dist/file-parser.cjs',
  'dist/sheet-reader.cjs',
  'dist/renderer/index.html',
];

/** Throws when the build fails. */
export async function buildWhatChanged() {
  const built = Math.min(...bundles.map((file) => changedAt(join(root, file))));
  const changed = Math.max(...sources.map((source) => newestIn(join(root, source))));
  if (built > changed) return false;
  console.log('Building…');
  await run(npm, ['run', '--silent', 'build']);
  return true;
}

function newestIn(path) {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  // The folder's own time tells of files that were removed.
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => newestIn(join(path, name))));
}

const changedAt = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
