// Before the specs that start processes: the bundles, built once if any source is newer than they are.
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { build, createBuilder } from 'vite';

const bundles = ['dist/cli.js', 'dist/row-worker.cjs'];

export async function setup(): Promise<void> {
  const [built, written] = await Promise.all([
    oldest(bundles),
    newest(['src-main', 'package.json', 'vite.config.ts', 'vite.worker.config.ts']),
  ]);
  if (built > written) return;
  // Not emptied: another run of the specs may have workers of the last build at work.
  await build({ logLevel: 'warn', build: { emptyOutDir: false } });
  const programs = await createBuilder({ logLevel: 'warn', configFile: 'vite.worker.config.ts' });
  await programs.buildApp();
}

async function oldest(paths: readonly string[]): Promise<number> {
  const times = await Promise.all(
    paths.map((path) =>
      stat(path).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    ),
  );
  return Math.min(...times);
}

async function newest(paths: readonly string[]): Promise<number> {
  const times = await Promise.all(
    paths.map(async (path) => {
      const entry = await stat(path);
      if (!entry.isDirectory()) return entry.mtimeMs;
      return newest((await readdir(path)).map((name) => join(path, name)));
    }),
  );
  return Math.max(0, ...times);
}
