// What the built programs load at their start. A local server and the desktop app have no use for a database of a team.
import { readdir, readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { finalStatus, trigger } from '../../builders/api-client.ts';
import { startServerProcess } from '../../builders/server-process.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

const dist = join(import.meta.dirname, '../../../dist');
/** Marks that the bundler leaves where a module of a package begins. */
const databasePackages = /^\/\/ ?(?:#region )?node_modules\/(pg|pg-boss|pg-pool)\//m;
const schemaLibrary = /^\/\/ ?(?:#region )?node_modules\/zod\//m;
const parsers = /^\/\/ ?(?:#region )?node_modules\/(yaml|acorn)\//m;

/** Texts of a file of the build and of all that it imports statically, by path. */
async function loadedFrom(path: string, loaded = new Map<string, string>()): Promise<Map<string, string>> {
  if (loaded.has(path)) return loaded;
  const text = await readFile(path, 'utf8');
  loaded.set(path, text);
  for (const [, imported = ''] of text.matchAll(/^(?:import|export)\b[^;]*?"(\.{1,2}\/[^"]+\.js)";$/gm))
    await loadedFrom(join(path, '..', imported), loaded);
  return loaded;
}

/** Path of the chunk of a name that a file of the build, or one that it loads, imports on demand. */
async function chunkOf(importer: string, name: string): Promise<string> {
  const pattern = new RegExp(`import\\("\\./([^"]*\\b${name}-[\\w-]+\\.js)"\\)`);
  for (const [path, text] of await loadedFrom(importer)) {
    const chunk = pattern.exec(text)?.[1];
    if (chunk !== undefined) return join(path, '..', chunk);
  }
  throw new Error(`${importer} imports no chunk ${name}`);
}
const commandChunk = (name: string): Promise<string> => chunkOf(join(dist, 'cli.js'), `${name}-command`);
const needsDatabase = (loaded: ReadonlyMap<string, string>): boolean =>
  [...loaded.values()].some((text) => databasePackages.test(text));

describe('packages for the database of a team', () => {
  it('are loaded by a server of a team', async () => {
    expect(
      needsDatabase(await loadedFrom(await chunkOf(await commandChunk('serve'), 'start-team-server'))),
    ).toBe(true);
  });

  it.each(['serve', 'work', 'database'])('are not loaded with the command %s', async (name) => {
    const loaded = await loadedFrom(await commandChunk(name));
    expect(loaded.size).toBeGreaterThan(1);
    expect(needsDatabase(loaded)).toBe(false);
  });

  it.each(['cli.js', 'desktop.js'])('are not loaded by %s', async (file) => {
    const loaded = await loadedFrom(join(dist, file));
    expect(loaded.size).toBeGreaterThan(1);
    expect(needsDatabase(loaded)).toBe(false);
  });

  it('are not loaded by a local server that completes a run', async () => {
    const [dataDir, coverage] = [await temporaryFolder(), await temporaryFolder()];
    const server = await startServerProcess({ dataDir, workflows: 'examples', coverage });
    const workflowId = 'column-names';
    const runId = await trigger(server.url, workflowId, [{ 'First Name': 'Ada' }]);
    expect(await finalStatus(server.url, { workflowId, runId }, 30_000)).toMatchObject({
      status: 'completed',
    });
    await server.stop();
    const loaded = await scriptsIn(coverage);
    expect(loaded.size).toBeGreaterThan(1);
    expect(needsDatabase(loaded)).toBe(false);
  }, 60_000);
});

// Each file takes a quarter of a millisecond: 140 of them took a seventh of the start.
it('a server loads its modules from few files', async () => {
  expect((await loadedFrom(await commandChunk('serve'))).size).toBeLessThan(30);
});

describe('the schema library', () => {
  const isIn = (loaded: ReadonlyMap<string, string>): boolean =>
    [...loaded.values()].some((text) => schemaLibrary.test(text));

  it('is loaded by the command line', async () => {
    expect(isIn(await loadedFrom(await commandChunk('serve')))).toBe(true);
  });

  // It takes as long to load as all else that they load.
  it.each(['storage-thread.cjs', 'question-thread.cjs', 'row-worker.cjs'])(
    'is not loaded by %s',
    async (file) => {
      const loaded = await loadedFrom(join(dist, file));
      expect(loaded.size).toBeGreaterThan(0);
      expect(isIn(loaded)).toBe(false);
    },
  );
});

// As modules and chunks, they took a third more processor time until they were ready.
describe('programs of processes and threads', () => {
  it.each(['row-worker', 'file-parser', 'sheet-reader', 'storage-thread', 'question-thread'])(
    '%s is one CommonJS file that loads nothing but parts of Node',
    async (name) => {
      const text = await readFile(join(dist, `${name}.cjs`), 'utf8');
      const required = [...text.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, each = '']) => each);
      expect(required).not.toEqual([]);
      expect(required.filter((each) => !isBuiltin(each))).toEqual([]);
    },
  );
});

// A fifth of all that a server would load. It parses files in a process of their own.
describe('the parsers of YAML and JavaScript', () => {
  const areIn = (loaded: ReadonlyMap<string, string>): boolean =>
    [...loaded.values()].some((text) => parsers.test(text));

  it('are loaded by the process that parses files', async () => {
    expect(areIn(await loadedFrom(join(dist, 'file-parser.cjs')))).toBe(true);
  });

  it('are not loaded at the start of a server', async () => {
    expect(areIn(await loadedFrom(await commandChunk('serve')))).toBe(false);
    expect(areIn(await loadedFrom(join(dist, 'desktop.js')))).toBe(false);
  });
});

/** Texts of the build's files that processes loaded, from the reports that Node wrote at their ends. */
async function scriptsIn(coverage: string): Promise<Map<string, string>> {
  const loaded = new Map<string, string>();
  for (const name of await readdir(coverage)) {
    const report = JSON.parse(await readFile(join(coverage, name), 'utf8')) as {
      readonly result: readonly { readonly url: string }[];
    };
    const paths = report.result
      .map(({ url }) => url)
      .filter((url) => url.startsWith('file:'))
      .map((url) => fileURLToPath(url));
    for (const path of paths.filter((each) => each.startsWith(dist)))
      loaded.set(path, await readFile(path, 'utf8'));
  }
  return loaded;
}
