// Each byte of a small store is flipped, and each of its files is cut at each length. What is read then is what was
// stored, or it is refused with the reason; of a document it may be what was stored before it, and that is told of this
// document. It is never another value, and nothing else is touched by the damage.
// ROWBENCH_PROOF=long flips every bit.
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { AppError } from '../../src-main/base/app-error.ts';
import { isFinal, type RunStatus } from '../../src-main/domain/run/run-status.ts';
import type { Scenario } from '../../src-main/domain/scenarios/scenario.ts';
import type { WorkerPool } from '../../src-main/executor/worker-pool.ts';
import type { WorkflowService } from '../../src-main/services/workflow-service.ts';
import type { FileSystem } from '../../src-main/storage/file-system.ts';
import { diskWith, filesOf, type StoredFile } from '../builders/durability/all-files.ts';
import { beginLife, openPool, workflowsOf, type ProductLife } from '../builders/durability/product-life.ts';
import { storyWorkflows } from '../builders/durability/product-story.ts';
import { PowerCutFileSystem } from '../builders/power-cut-file-system.ts';
import { previousOf } from '../../src-main/storage/durable/durable-files.ts';
import { openSeal } from '../../src-main/storage/durable/sealed-json.ts';
import { withFileOf, withoutPrevious } from '../builders/durability/unfaithful-disks.ts';
import { isLong, patience, report } from './length.ts';

let pool: WorkerPool;
let workflows: WorkflowService;
let store: PowerCutFileSystem;
/** Committed in several pieces. */
let runId: string;
/** Runs the row of `runId` again that failed, with the value of the node before the one that failed it; in one piece. */
let rerunId: string;
/** The same again, in one file from its acceptance to its end. */
let compactId: string;
/** Rows that were saved under a name. */
let setId: string;
let healthy: Found;
beforeAll(async () => {
  pool = openPool();
  workflows = await workflowsOf(storyWorkflows);
  store = new PowerCutFileSystem();
  const parts = { path: '/data', disk: store, pool, workflows };
  const life = await beginLife({ ...parts, mostCompactBytes: 0 });
  await life.runs.recover();
  await life.settings.change({ maxRows: 123 });
  await life.settings.change({ maxRows: 124 });
  await life.keys.create({ name: 'first', workflows: ['skips'] });
  await life.keys.create({ name: 'second', workflows: null });
  runId = await accept(life, { 'pause-at': { row: 1 } });
  await untilIs(life, runId, 'paused');
  await life.runs.resume(runId);
  await untilIs(life, runId, 'completed');
  const what = { rows: 'failed', from: 'middle' } as const;
  rerunId = (await life.runs.rerun(runId, what, { kind: 'cli' })).run.runId;
  await untilIs(life, rerunId, 'completed');
  const draft = await life.folder.rowSets.begin();
  await draft.write(Buffer.from('{"n":7}\n{"n":8}\n'));
  const facts = { workflowId: 'skips', name: 'kept', rows: 2, savedAt: '2026-01-01T00:00:00.000Z' };
  setId = (await draft.commit(facts)).id;
  await life.close();
  const later = await beginLife(parts);
  await later.runs.recover();
  compactId = (await later.runs.rerun(runId, what, { kind: 'cli' })).run.runId;
  await untilIs(later, compactId, 'completed');
  await later.close();
  healthy = await factsOf(store.afterCut({ entries: () => true, data: 'all' }));
}, 60_000);
afterAll(() => pool.close());

const untilIs = (life: ProductLife, id: string, status: RunStatus): Promise<void> =>
  vi.waitFor(async () => expect((await life.runs.get(id)).run.status).toBe(status), 20_000);

async function accept(life: ProductLife, scenario: Scenario = {}): Promise<string> {
  const workflow = await workflows.find('skips');
  if (workflow === undefined) throw new Error('no workflow');
  const draft = await life.runs.beginRun({ workflow, origin: { kind: 'cli' }, inputs: { scenario } });
  await draft.write(Buffer.from('{"n":0}\n{"n":1}\n{"n":2}\n'));
  return (await draft.accept(3)).runId;
}

/** Everything that the store answers for, by name; what is refused with a reason is `refused`. */
type Facts = Readonly<Record<string, unknown>>;
type Found = { readonly facts: Facts; readonly told: readonly string[] };
const refused = Symbol('refused');

async function factsOf(disk: FileSystem): Promise<Found> {
  let life: ProductLife;
  try {
    life = await beginLife({ path: '/data', disk, pool, workflows });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { facts: {}, told: [error.message] };
  }
  const { folder, runs } = life;
  try {
    await runs.recover();
    const record = await read(async () => (await runs.get(runId)).run);
    const facts = {
      settings: folder.settings.value,
      keys: folder.keys.value,
      decisions: folder.workflows.value,
      record,
      rows: await read(async () => textOf(await runs.readRows(runId, 'all'))),
      ...(await resultsOf(life, { id: runId, rows: 3, first: 1, prefix: '' })),
      ...(await resultsOf(life, { id: rerunId, rows: 1, first: 2, prefix: 'whole ' })),
      snapshot: await read(async () =>
        record === refused ? refused : folder.snapshots.get((await runs.get(runId)).run.workflowHash),
      ),
      numbers: await read(() => folder.runs.readRowNumbers(rerunId, 1, 1)),
      given: await read(() => givenTo(life, rerunId)),
      'compact record': await read(async () => (await runs.get(compactId)).run),
      ...(await resultsOf(life, { id: compactId, rows: 1, first: 2, prefix: 'compact ' })),
      'compact numbers': await read(() => folder.runs.readRowNumbers(compactId, 1, 1)),
      'compact given': await read(() => givenTo(life, compactId)),
      set: folder.rowSets.get(setId) ?? refused,
      'rows of the set': await read(() => textOf(folder.rowSets.readRows(setId))),
    };
    return { facts, told: life.told };
  } finally {
    await life.close();
  }
}

async function read(find: () => Promise<unknown>): Promise<unknown> {
  try {
    return await find();
  } catch (error) {
    const refusals: readonly unknown[] = ['data_unreadable', 'row_set_not_found'];
    if (error instanceof AppError && refusals.includes(error.code)) return refused;
    throw error;
  }
}

type ResultsOf = {
  readonly id: string;
  readonly rows: number;
  readonly first: number;
  readonly prefix: string;
};

/** What a run came to, by names that begin with the prefix. */
async function resultsOf(
  { folder, runs }: ProductLife,
  { id, rows, first, prefix }: ResultsOf,
): Promise<Facts> {
  const last = first + rows - 1;
  return {
    [`${prefix}outputs`]: await read(() => textOf(runs.readOutputs(id, rows))),
    [`${prefix}states`]: await read(() => folder.runs.readStates(id, 1, rows)),
    [`${prefix}failures`]: await read(() => runs.readFailures(id, 9)),
    [`${prefix}traces`]: await read(() => allOf(folder.runs.readTraces(id, first, last))),
    [`${prefix}statistics`]: await read(async () => (await folder.runs.readStatistics(id)) ?? refused),
  };
}

async function textOf(lines: AsyncIterable<{ readonly bytes: Uint8Array }>): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const { bytes } of lines) pieces.push(bytes);
  return Buffer.concat(pieces).toString();
}

async function allOf<T>(found: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const one of found) all.push(one);
  return all;
}

async function givenTo({ runs, folder }: ProductLife, id: string): Promise<string> {
  const reader = await folder.runs.openReader(id, 0, (await runs.get(id)).run);
  try {
    const { given } = (await reader.next(9, 1000)) ?? {};
    return Buffer.from(given ?? []).toString();
  } finally {
    await reader.close();
  }
}

/**
 * What the guide on durability says of a file's damage: what may be refused for it; and of documents what may be what it
 * was before, where that is told.
 */
type Damage = { readonly file: RegExp; readonly refuses: readonly string[]; readonly falls?: string };
const everyRun = ['record', 'rows', 'snapshot', 'given'];
const damages: readonly Damage[] = [
  { file: /^settings\.json$/, refuses: [], falls: 'settings' },
  { file: /^keys\.json$/, refuses: [], falls: 'keys' },
  { file: /^workflows\.json$/, refuses: [], falls: 'decisions' },
  { file: /run\.json$/, refuses: everyRun, falls: 'record' },
  { file: /^row-sets\/.*set\.json$/, refuses: ['set', 'rows of the set'] },
  { file: /^row-sets\/.*rows\.ndjson$/, refuses: ['rows of the set'] },
  { file: /rows\.ndjson$/, refuses: ['rows'] },
  { file: /outputs\.ndjson$/, refuses: ['outputs'] },
  { file: /outputs\.index$/, refuses: ['outputs', 'states', 'failures', 'traces'] },
  { file: /rows\.state$/, refuses: ['states'] },
  { file: /trace\.ndjson$/, refuses: ['failures', 'traces'] },
  { file: /statistics\.[01]$/, refuses: ['statistics'] },
  {
    file: /results$/,
    refuses: ['outputs', 'states', 'failures', 'traces', 'statistics'].map((fact) => `whole ${fact}`),
  },
  {
    file: /\.run$/,
    refuses: ['record', 'outputs', 'states', 'failures', 'traces', 'statistics', 'numbers', 'given'].map(
      (fact) => `compact ${fact}`,
    ),
    falls: 'compact record',
  },
  { file: /rows\.numbers$/, refuses: ['numbers', 'given', 'whole outputs', 'whole traces'] },
  { file: /rows\.given$/, refuses: ['given'] },
  { file: /^snapshots\//, refuses: ['snapshot'] },
];

type Through = (disk: FileSystem) => FileSystem;

/** What is given as right and is not, or refused without need, in words; or told of another file. */
async function findingsIn(
  file: StoredFile,
  bytes: Uint8Array,
  through: Through = (disk) => disk,
): Promise<readonly string[]> {
  const disk = await diskWith(store, file.path, bytes);
  const crash = (error: unknown): Found => ({ facts: { crash: String(error) }, told: [] });
  const { facts, told } = await factsOf(through(disk)).catch(crash);
  const name = file.path.slice('/data/'.length);
  const hasOlder = (await disk.stat(previousOf(file.path))) !== undefined;
  if (hasOlder && (facts['settings'] === undefined || facts['record'] === refused))
    return [`${name}: the version before it is not used`];
  const { refuses = [], falls } = damages.find((damage) => damage.file.test(name)) ?? {};
  const isTold = told.some((words) => words.includes(name));
  const isExcused = (fact: string, value: unknown): boolean =>
    value === refused ? refuses.includes(fact) : fact === falls && isTold;
  return [
    ...told.filter((words) => !words.includes(name)).map((words) => `${name}: it is told that ${words}`),
    ...Object.keys({ ...healthy.facts, ...facts })
      .filter((fact) => !isDeepStrictEqual(facts[fact], healthy.facts[fact]) && !isExcused(fact, facts[fact]))
      .map((fact) => `${name}: ${fact} is ${String(JSON.stringify(facts[fact]) ?? 'not there')}`),
  ];
}

/** The rerun has files of three kinds that the other run does not have. */
const isProof = ({ path }: StoredFile): boolean =>
  !path.endsWith('.previous') && (!path.includes(rerunId) || /numbers$|given$|results$/.test(path));

/** Without the zeros that are room for more. */
const lengthOf = ({ bytes, path }: StoredFile): number =>
  path.endsWith('.run') ? bytes.findLastIndex((byte) => byte !== 0) + 2 : bytes.length;

/** With the lowest bit of a byte flipped. */
function flipped({ bytes }: StoredFile, at: number, bit = 0): Buffer {
  const changed = Buffer.from(bytes);
  changed[at] = (changed[at] ?? 0) ^ (1 << bit);
  return changed;
}

const fileNamed = async (name: string, disk: FileSystem = store): Promise<StoredFile> => {
  const found = (await filesOf(disk, '/data')).find(({ path }) => path.endsWith(name));
  if (found === undefined) throw new Error(`no ${name}`);
  return found;
};

it('gives no damaged byte as right, whichever is damaged', { timeout: patience(900_000) }, async () => {
  expect(healthy.told).toEqual([]);
  expect(Object.values(healthy.facts)).not.toContain(refused);
  const files = (await filesOf(store, '/data')).filter(isProof);
  const found: string[] = [];
  let flips = 0;
  let cuts = 0;
  function* damagedFiles(): Generator<readonly [StoredFile, Uint8Array]> {
    for (const file of files) {
      for (let at = 0; at < lengthOf(file); at += 1) {
        for (const bit of isLong ? [0, 1, 2, 3, 4, 5, 6, 7] : [at % 8]) {
          flips += 1;
          yield [file, flipped(file, at, bit)];
        }
        cuts += 1;
        yield [file, file.bytes.subarray(0, at)];
      }
    }
  }
  // Several at once, each with a disk of its own: one alone waits for a quarter of its time.
  const damaged = damagedFiles();
  const look = async (): Promise<void> => {
    for (const [file, bytes] of damaged) found.push(...(await findingsIn(file, bytes)));
  };
  await Promise.all(Array.from({ length: 4 }, look));
  expect([...new Set(found)].slice(0, 20)).toEqual([]);
  expect(flips).toBeGreaterThan(2000);
  report(`corruption: ${flips} flipped bytes and ${cuts} cuts in ${files.length} files, none given as right`);
});

it(
  'makes no output of rows that are not those that were accepted',
  { timeout: patience(300_000) },
  async () => {
    const disk = new PowerCutFileSystem();
    const life = await beginLife({ path: '/data', disk, pool, workflows }, { runsAtOnce: 0 });
    await life.runs.recover();
    const waiting = await accept(life);
    await life.close();
    const rows = await fileNamed(`${waiting}.run`, disk);
    const first = rows.bytes.indexOf('{"n":0}\n');
    for (let at = first; at < first + 24; at += 1) {
      const changed = await diskWith(disk, rows.path, flipped(rows, at));
      const again = await beginLife({ path: '/data', disk: changed, pool, workflows });
      await again.runs.recover();
      await expect.poll(async () => isFinal((await again.runs.get(waiting)).run.status)).toBe(true);
      expect((await again.runs.get(waiting)).run.status, `byte ${at}`).toBe('failed');
      await again.close();
    }
  },
);

it('is a rig that sees damage where there is no checksum, and an older version that is not used', async () => {
  const record = await fileNamed(`${runId}/run.json`);
  const unsealed = { ...record, bytes: Buffer.from(openSeal(record.bytes.toString()).text) };
  const inName = unsealed.bytes.indexOf('"skips"') + 1;
  expect(await findingsIn(unsealed, flipped(unsealed, inName))).not.toEqual([]);
  expect(await findingsIn(record, flipped(record, inName))).toEqual([]);

  const keys = await fileNamed('keys.json');
  const torn = keys.bytes.subarray(0, 20);
  expect(await findingsIn(keys, torn)).toEqual([]);
  expect((await findingsIn(keys, torn, withoutPrevious)).join()).toContain(
    'the version before it is not used',
  );

  // What is told of the keys excuses nothing of a run.
  const otherRecord = await diskWith(store, record.path, flipped(unsealed, inName));
  const found = await findingsIn(keys, torn, (disk) => withFileOf(disk, otherRecord, record.path));
  expect(found).toEqual([expect.stringContaining('keys.json: record is')]);
});
