// Damages a small database file: a bit of each stored blob, and each page once with zeros and once with other bytes. A
// read then returns the stored value or is refused with the reason. Other runs stay readable where SQLite can read
// them.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { databaseName } from '../../src-main/storage/runs/run-database.ts';
import { blobCrc } from '../../src-main/storage/sqlite/checksums.ts';
import type { Database } from '../../src-main/storage/sqlite/open-database.ts';
import { batchId } from '../../src-main/storage/sqlite/checksums.ts';
import { openReader } from '../../src-main/storage/sqlite/answer-calls.ts';
import { callApi, finalStatus, outputOf, statusOf, trigger } from '../builders/api-client.ts';
import {
  contentsOf,
  makeSmallStore,
  Refused,
  writeStore,
  type StoreContents,
} from '../builders/durability/small-store.ts';
import { changeDatabase, readDatabase } from '../builders/durability/stored-database.ts';
import { seededRandom } from '../builders/seeded-random.ts';
import { startServerProcess } from '../builders/server-process.ts';
import { temporaryFolder } from '../builders/temporary-folder.ts';
import { isLong, timeoutMs, report } from './length.ts';

const pageBytes = 4096;

type Store = {
  readonly path: string;
  readonly bytes: Buffer;
  readonly runIds: readonly string[];
  readonly healthy: StoreContents;
  readonly look: () => Promise<StoreContents>;
};

async function newStore(): Promise<Store> {
  const folder = await temporaryFolder();
  const { bytes, runIds } = await makeSmallStore(join(folder, 'data'));
  const path = join(folder, databaseName);
  await writeStore(path, bytes);
  const look = (): Promise<StoreContents> => contentsOf(path, runIds);
  return { path, bytes, runIds, healthy: await look(), look };
}

type Found = { readonly refused: readonly string[]; readonly wrong: readonly string[] };

/** Refused facts by name; `wrong` describes facts that differ from those stored, and refusals for an unknown reason. */
async function differences({ healthy, look }: Pick<Store, 'healthy' | 'look'>): Promise<Found> {
  const crash = (error: unknown): StoreContents =>
    Object.fromEntries(Object.keys(healthy).map((name) => [name, new Refused(String(error))]));
  const contents = await look().catch(crash);
  const names = Object.keys({ ...healthy, ...contents });
  const refused = names.filter((name) => contents[name] instanceof Refused);
  const wrong = names.filter(
    (name) => !(contents[name] instanceof Refused) && !isDeepStrictEqual(contents[name], healthy[name]),
  );
  const unnamed = refused.filter(
    (name) =>
      !/Stored data cannot be read|rowbench\.db|not a database|not in the list/.test(
        (contents[name] as Refused).reason,
      ),
  );
  return {
    refused,
    wrong: [
      ...wrong.map((name) => `${name} is ${JSON.stringify(contents[name])?.slice(0, 200)}`),
      ...unnamed.map((name) => `${name}: ${(contents[name] as Refused).reason}`),
    ],
  };
}

/** Columns with a checksum, and the facts of their run that come from them. */
const columns: readonly (readonly [table: string, column: string, contents: readonly string[]])[] = [
  ['row_batches', 'lines', ['rows', 'reused']],
  ['row_batches', 'numbers', ['numbers', 'reused', 'rows', 'outputs', 'traces']],
  ['row_batches', 'reused', ['reused', 'rows']],
  ['output_batches', 'outputs', ['outputs']],
  ['output_batches', 'states', ['states', 'outputs']],
  ['output_batches', 'trace', ['failures', 'traces']],
  ['runs', 'record', ['record', 'text']],
  ['snapshots', 'text', ['text']],
];
const stride = batchId(1, 0);

/** A stored value, and the number of the run that it belongs to. */
type Stored = { readonly key: number; readonly owner: number; readonly bytes: Uint8Array };

function storedIn(database: Database, table: string, column: string): readonly Stored[] {
  const owner =
    table === 'runs'
      ? 'number'
      : table === 'snapshots'
        ? '(select owner from run_snapshots where run_snapshots.hash = snapshots.hash)'
        : `id / ${stride}`;
  return database
    .prepare(
      `select rowid as key, ${owner} as owner, cast(${column} as blob) as bytes from ${table} where ${column} is not null`,
    )
    .all() as Stored[];
}

it(
  'no flipped bit of a blob is handed out, and nothing else is touched by it',
  { timeout: timeoutMs(120_000) },
  async () => {
    const store = await newStore();
    expect(Object.values(store.healthy).filter((name) => name instanceof Refused)).toEqual([]);
    const random = seededRandom(1);
    const found: string[] = [];
    let flips = 0;
    for (const [table, column, affected] of columns) {
      const all = await readDatabase(store.path, (database) => storedIn(database, table, column));
      for (const { key, owner, bytes } of all) {
        const excused = [...affected.map((name) => `run ${owner}: ${name}`), 'row set: rows'];
        for (let flip = 0; flip < (isLong ? 16 : 1); flip += 1) {
          const at = Math.floor(random() * bytes.length);
          const changed = Buffer.from(bytes);
          // The lowest bits: a text stays a text.
          changed[at] = (changed[at] ?? 0) ^ (1 << (flips % 3));
          flips += 1;
          await changeDatabase(store.path, (database) => {
            const value = column === 'record' || column === 'text' ? 'cast(? as text)' : '?';
            database.prepare(`update ${table} set ${column} = ${value} where rowid = ?`).run(changed, key);
          });
          const { refused, wrong } = await differences(store);
          const where = `${table}.${column} ${key}, byte ${at}`;
          // A list leaves out the run whose record is damaged.
          found.push(
            ...wrong
              .filter((words) => column !== 'record' || !words.startsWith('list '))
              .map((words) => `${where}: ${words}`),
            ...(refused.length === 0 ? [`${where}: nothing is refused`] : []),
            ...refused
              .filter((name) => !excused.includes(name))
              .map((name) => `${where}: ${name} is refused`),
          );
          await writeStore(store.path, store.bytes);
        }
      }
    }
    expect(found.slice(0, 10)).toEqual([]);
    expect(flips).toBeGreaterThan(40);
    report(`damaged store: ${flips} flipped bits of blobs, all refused, nothing else touched`);
  },
);

it(
  'a damaged page takes away no more than what is on it, and is reported',
  { timeout: timeoutMs(120_000) },
  async () => {
    const store = await newStore();
    const found: string[] = [];
    let [intactRuns, harmful, reported] = [0, 0, 0];
    const pages = store.bytes.length / pageBytes;
    const random = seededRandom(2);
    for (let page = 0; page < pages; page += 1) {
      for (const isZeroed of [true, false]) {
        const changed = Buffer.from(store.bytes);
        for (let at = page * pageBytes; at < (page + 1) * pageBytes; at += 1)
          changed[at] = isZeroed ? 0 : Math.floor(random() * 256);
        await writeStore(store.path, changed);
        const { refused, wrong } = await differences(store);
        found.push(...wrong.map((words) => `page ${page + 1}: ${words}`));
        if (refused.length === 0) continue;
        harmful += 1;
        intactRuns += store.runIds.filter(
          (_, index) => !refused.some((name) => name.startsWith(`run ${index + 1}: `)),
        ).length;
        const lines = await readDatabase(store.path, (database) => openReader(database)[0].check()).catch(
          (error: unknown) => [String(error)],
        );
        if (lines.some((line) => page === 0 || new RegExp(`page ${page + 1}\\b|malformed`, 'i').test(line)))
          reported += 1;
        else found.push(`page ${page + 1}: the check says ${JSON.stringify(lines)}`);
      }
    }
    expect(found.slice(0, 10)).toEqual([]);
    expect(harmful).toBeGreaterThan(10);
    expect(intactRuns).toBeGreaterThan(harmful);
    report(
      `damaged store: each of ${pages} pages zeroed and overwritten, ${harmful} times with an effect, ${reported} reported; ` +
        `${(intactRuns / harmful).toFixed(1)} of ${store.runIds.length} runs left untouched on average, nothing wrong handed out`,
    );
  },
);

it('the rig finds other values where the checksum fits them', async () => {
  const store = await newStore();
  await changeDatabase(store.path, (database) => {
    const sql = 'select id, first_row as firstRow, rows, outputs from output_batches limit 1';
    const { outputs, ...batch } = database.prepare(sql).get() as {
      id: number;
      firstRow: number;
      rows: number;
      outputs: Uint8Array;
    };
    const changed = Buffer.from(Buffer.from(outputs).toString().replace('"output":1}', '"output":2}'));
    database
      .prepare('update output_batches set outputs = ?, outputs_crc = ? where id = ?')
      .run(changed, blobCrc(batch, changed), batch.id);
  });
  expect((await differences(store)).wrong).toEqual([expect.stringMatching(/^run 1: outputs is/)]);
});

const quick = `rowbench: 1
id: quick
nodes:
  - { id: input, type: input }
  - { id: result, type: output, fields: { n: "=row.n", text: "=row.text" } }
`;
const slow = quick
  .replace('quick\n', 'slow\nconcurrency: 1\n')
  .replace('input }', 'input }\n  - { id: wait, type: delay, for: 200ms }')
  .replace('output,', 'output, after: [wait],');
/** One batch: its rows, and its outputs, are a value of several pages that belong to no other. */
const rowsOf = (text: string): unknown[] =>
  Array.from({ length: 30 }, (_, n) => ({ n, text: `${text} ${'x'.repeat(200)}` }));

/** Offsets of a text. */
function offsetsOf(bytes: Buffer, text: string): readonly number[] {
  const offsets: number[] = [];
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) offsets.push(at);
  return offsets;
}

it('a server hands out no damaged outputs and executes no damaged rows', { timeout: 120_000 }, async () => {
  const folder = await temporaryFolder();
  const [dataDir, workflows] = [join(folder, 'data'), join(folder, 'workflows')];
  await mkdir(workflows);
  await writeFile(join(workflows, 'quick.workflow.yaml'), quick);
  await writeFile(join(workflows, 'slow.workflow.yaml'), slow);
  const start = async () => {
    const started = await startServerProcess({ dataDir, workflows });
    onTestFinished(() => started.kill());
    return started;
  };
  const server = await start();
  const ids: string[] = [];
  for (const text of ['first', 'second', 'third']) {
    const runId = await trigger(server.url, 'quick', rowsOf(text));
    expect((await finalStatus(server.url, { workflowId: 'quick', runId })).status).toBe('completed');
    ids.push(runId);
  }
  const [damaged = '', lost = '', whole = ''] = ids;
  const waiting = await trigger(server.url, 'slow', rowsOf('fourth'));
  await server.stop();

  const path = join(dataDir, databaseName);
  const bytes = await readFile(path);
  const flip = (text: string): void => {
    const found = offsetsOf(bytes, text);
    expect(found).not.toEqual([]);
    for (const at of found) bytes[at + text.length - 1] = (bytes[at + text.length - 1] ?? 0) ^ 1;
  };
  // Of rows and outputs: only the outputs of a completed run are read again.
  flip('"text":"first x');
  flip('{"n":29,"text":"fourth x');
  for (const at of offsetsOf(bytes, '"text":"second x')) {
    const page = bytes.subarray(at - (at % pageBytes), at - (at % pageBytes) + pageBytes);
    // A page of a large value begins with the number of the next one; other pages are shared by runs. Its end may hold
    // what an earlier value left there.
    const isOfRun = page[0] === 0 && !/(first|third|fourth) [xy]/.test(page.toString('latin1'));
    if (isOfRun) page.fill(0);
  }
  await writeFile(path, bytes);

  const again = await start();
  const outputs = (runId: string) =>
    callApi(again.url, `/api/v1/workflows/quick/runs/${runId}/async/response`);
  for (const runId of [damaged, lost])
    expect(await outputs(runId)).toMatchObject({ status: 500, body: { success: false } });
  const damages = new RegExp(`damage at the outputs of rows \\d+ to \\d+ of run ${damaged}`);
  await expect.poll(again.stderr).toMatch(damages);
  for (const runId of ids) expect((await statusOf(again.url, 'quick', runId)).status).toBe('completed');
  // The error of a damaged page was reported again to the next read of any run.
  expect(Object.values(await outputOf(again.url, 'quick', whole))).toEqual(rowsOf('third'));
  const ended = await finalStatus(again.url, { workflowId: 'slow', runId: waiting }, 60_000);
  expect(ended).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('damage at the text of rows') as string,
  });
  const runId = await trigger(again.url, 'quick', rowsOf('fifth'));
  expect((await finalStatus(again.url, { workflowId: 'quick', runId })).status).toBe('completed');
  expect(Object.values(await outputOf(again.url, 'quick', runId))).toEqual(rowsOf('fifth'));
  expect(again.stderr()).not.toContain('nothing new is accepted');
  await again.stop();
  report(
    'damaged store: a server refuses damaged outputs, fails a run with damaged rows, and goes on with all others',
  );
});
