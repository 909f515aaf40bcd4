// Rowbench as a user meets it after a start: each repetition starts a new server on an empty folder, which runs the
// smaller sizes first. Beside it, in turns: another build, a floor server, BullMQ and a plain loop, each as new.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { familyCpuMs, memoryMbOf } from '../builders/process-usage.ts';
import { textBody, textOutput, textRow } from '../builders/text-workload.ts';
import { atLeast, atMost, median, medianRatio, ratiosOf, report, reportLine } from './figures.ts';
import {
  dropConnections,
  startFloor,
  startProgram,
  startRowbench,
  timeRun,
  writeWorkflows,
  type Subject,
  type Workload,
} from './subjects.ts';
import { startBullMq, whyNoBullMq } from './team-peers.ts';

const repetitions = Number(process.env['ROWBENCH_ROUNDS'] ?? 5);
/** Time limit of all repetitions, in ms. */
const timeout = 1_200_000;

/** Runs of one size on one server, one after another. */
type Stage = { readonly workload: Workload; readonly rows: number; readonly runs: number };
const sizes = [1, 1000, 10_000, 100_000];
/** Each on a new server. */
const sessions: readonly (readonly Stage[])[] = [
  sizes.map((rows, at) => ({ workload: 'text', rows, runs: [10, 4, 2, 2][at]! })),
  [{ workload: 'code', rows: 10_000, runs: 3 }],
  [{ workload: 'upstream', rows: 10_000, runs: 2 }],
];

/** A server, a queue or a loop that was started for one repetition. */
type Opened = {
  /** The process of a server. */
  readonly pid?: number;
  /** Runs that many rows, and checks the outputs; resolves to milliseconds. */
  run(workload: Workload, rows: number): Promise<number>;
  stop?(): Promise<void>;
};
type Program = { readonly workloads: readonly Workload[]; readonly open: () => Promise<Opened> };
/** Values of each repetition: what was measured → of which program. */
type Taken = Map<string, Record<string, number[]>>;

let folder: string;
let workflows: string;
let upstreamUrl: string;
let service: Awaited<ReturnType<typeof startProgram>>;
let whyNoQueue: string | undefined;
const bodies = new Map(sizes.map((rows) => [rows, textBody(rows)]));
const expectedOutputs = (rows: number): unknown[] =>
  Array.from({ length: rows }, (_, index) => textOutput(textRow(index)));
const rowsFile = (rows: number): string => join(folder, `rows-${rows}.ndjson`);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rowbench-bench-'));
  service = await startProgram('slow-service.mjs');
  upstreamUrl = `http://127.0.0.1:${service.port}/`;
  workflows = await writeWorkflows(folder, upstreamUrl);
  for (const rows of sizes) {
    const lines = Array.from({ length: rows }, (_, index) => `${JSON.stringify(textRow(index))}\n`);
    await writeFile(rowsFile(rows), lines.join(''));
  }
  whyNoQueue = await whyNoBullMq(join(folder, 'bullmq'));
  if (whyNoQueue !== undefined) process.stdout.write(`      no figures of BullMQ: ${whyNoQueue}\n`);
}, 120_000);

afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

it('new servers run text, code and calls beside other programs', { timeout }, async () => {
  const programs = allPrograms();
  const taken: Taken = new Map();
  for (let repetition = 0; repetition < repetitions; repetition += 1)
    for (const stages of sessions)
      for (const [name, { workloads, open }] of alternating(Object.entries(programs), repetition)) {
        if (!workloads.includes(stages[0]!.workload)) continue;
        dropConnections();
        for (const [what, value] of await measure(open, stages)) {
          const values = taken.get(what) ?? {};
          taken.set(what, { ...values, [name]: [...(values[name] ?? []), value] });
        }
      }
  for (const [what, values] of taken) reportLine({ what, ...cellsOf(values, Object.keys(programs)) });
  reportAims(taken);
});

/** The order of one repetition; the next one has the reverse. */
const alternating = <Each>(list: readonly Each[], repetition: number): Each[] =>
  repetition % 2 === 0 ? [...list] : list.toReversed();

function reportAims(taken: Taken): void {
  for (const size of ['1,000', '10,000', '100,000']) {
    const what = `text, ${size} rows: later run, ms`;
    report(atLeast(0.75, compare(taken, what, 'floor server')));
    report(atLeast(0.6, compare(taken, what, 'plain loop')));
  }
  report(atLeast(0.85, compare(taken, 'code, 10,000 rows: later run, ms', 'plain loop, all cores')));
  report(atLeast(1.2, compare(taken, 'upstream, 10,000 rows: later run, ms', 'floor server')));
  if (whyNoQueue !== undefined) return;
  const shareOfQueue = (what: string, aim: number, of: typeof median): void => {
    const { ratio: _, ...compared } = compare(taken, what, 'BullMQ, 64');
    const { Rowbench: ours = [], 'BullMQ, 64': theirs = [] } = taken.get(what) ?? {};
    report(atMost(aim, { ...compared, ratio: of(ratiosOf(ours, theirs)) }));
  };
  shareOfQueue('text, 1,000 rows: later run, ms', 2.5, median);
  shareOfQueue('text, 10,000 rows: later run, ms', 1.25, median);
  // In every repetition.
  for (const which of ['first', 'later'])
    shareOfQueue(`text, 100,000 rows: ${which} run, ms`, 0.85, (ratios) => Math.max(...ratios));
}

/** The figures of one program from its start to its end. */
async function measure(open: Program['open'], stages: readonly Stage[]): Promise<[string, number][]> {
  const began = performance.now();
  const opened = await open();
  const figures: [string, number][] = [];
  const pid = process.platform === 'linux' ? opened.pid : undefined;
  try {
    if (opened.pid !== undefined) figures.push(['start to listening, ms', performance.now() - began]);
    if (pid !== undefined) figures.push(['start: processor time, ms', await familyCpuMs(pid)]);
    for (const { workload, rows, runs } of stages) {
      const what = `${workload}, ${rows === 1 ? 'one row' : `${rows.toLocaleString('en-US')} rows`}`;
      const cpuFrom = pid === undefined ? 0 : await familyCpuMs(pid);
      const times: number[] = [];
      for (let run = 0; run < runs; run += 1) times.push(await opened.run(workload, rows));
      const cpuMs = pid === undefined ? 0 : (await familyCpuMs(pid)) - cpuFrom;
      figures.push([`${what}: first run, ms`, times[0]!], [`${what}: later run, ms`, median(times.slice(1))]);
      if (pid !== undefined)
        figures.push([`${what}: processor time of each of ${runs} runs, ms`, cpuMs / runs]);
    }
    if (pid !== undefined) figures.push([`memory after ${stages[0]!.workload}, MB`, await memoryMbOf(pid)]);
    return figures;
  } finally {
    await opened.stop?.();
  }
}

const digits = (value: number): string =>
  value < 20 ? value.toFixed(1) : Math.round(value).toLocaleString('en-US');

/** The median of each program; in brackets how often as long Rowbench takes. */
function cellsOf(
  values: Readonly<Record<string, number[]>>,
  names: readonly string[],
): Record<string, string> {
  const ours = values['Rowbench'] ?? [];
  const cell = (name: string): string => {
    const theirs = values[name];
    if (theirs === undefined) return '';
    return name === 'Rowbench'
      ? digits(median(ours))
      : `${digits(median(theirs))} (${medianRatio(ours, theirs).toFixed(2)})`;
  };
  return Object.fromEntries(names.map((name) => [name, cell(name)]));
}

/** Rowbench beside another program, as speed: more is better. */
function compare(taken: Taken, what: string, name: string) {
  const { Rowbench: ours = [], [name]: theirs = [] } = taken.get(what) ?? {};
  const spread = (times: readonly number[]): string =>
    `${digits(median(times))} (${digits(Math.min(...times))} to ${digits(Math.max(...times))})`;
  return {
    what,
    ours: spread(ours),
    baseline: `${name} ${spread(theirs)}`,
    ratio: medianRatio(theirs, ours),
  };
}

function allPrograms(): Record<string, Program> {
  const workloads: Workload[] = ['text', 'code', 'upstream'];
  // Two loops beside each other do as much as these cores allow.
  const halfOfTwo = async (workload: Workload, rows: number): Promise<number> =>
    Math.max(...(await Promise.all([loopMs(workload, rows), loopMs(workload, rows)]))) / 2;
  return {
    Rowbench: { workloads, open: () => serve((dataDir) => startRowbench({ dataDir, workflows })) },
    ...otherBuild(workloads),
    'floor server': { workloads, open: () => serve((dataDir) => startFloor(dataDir, upstreamUrl)) },
    ...(whyNoQueue === undefined ? { 'BullMQ, 64': { workloads: ['text'], open: openBullMq } } : {}),
    'plain loop': { workloads: ['text', 'code'], open: async () => ({ run: loopMs }) },
    'plain loop, all cores': { workloads: ['code'], open: async () => ({ run: halfOfTwo }) },
  };
}

/** Another build of Rowbench: `NAME=CHECKOUT`. */
function otherBuild(workloads: Workload[]): Record<string, Program> {
  const [name, checkout] = process.env['ROWBENCH_BESIDE']?.split('=') ?? [];
  if (name === undefined || checkout === undefined) return {};
  const program = join(checkout, 'dist', 'cli.js');
  return {
    [name]: { workloads, open: () => serve((dataDir) => startRowbench({ dataDir, workflows, program })) },
  };
}

async function serve(start: (dataDir: string) => Promise<Subject>): Promise<Opened> {
  const dataDir = await mkdtemp(join(folder, 'data-'));
  const server = await start(dataDir);
  return {
    pid: server.pid,
    run: async (workload, rows) => {
      const { ms, output } = await timeRun(server, workload, bodies.get(rows)!);
      checkOutputs(workload, rows, output);
      return ms;
    },
    stop: async () => {
      await server.stop();
      await rm(dataDir, { recursive: true });
    },
  };
}

function checkOutputs(workload: Workload, rows: number, output: Buffer): void {
  const outputs = Object.values((JSON.parse(output.toString()) as { data: object }).data);
  if (workload === 'text') expect(JSON.stringify(outputs)).toBe(JSON.stringify(expectedOutputs(rows)));
  else expect(outputs).toHaveLength(rows);
  if (workload === 'upstream') expect(outputs).toEqual(Array(rows).fill({ n: 1 }));
}

async function openBullMq(): Promise<Opened> {
  const redisFolder = await mkdtemp(join(folder, 'redis-'));
  const modules = join(folder, 'bullmq');
  const queue = await startBullMq({
    modules,
    folder: redisFolder,
    file: rowsFile(sizes.at(-1)!),
    rowsPerJob: 64,
  });
  return { run: (_workload, rows) => queue.run(rows), stop: () => queue.stop() };
}

/** Milliseconds of a plain loop over a file, as it says itself: starting Node is not counted. */
async function loopMs(workload: Workload, rows: number): Promise<number> {
  const program = join(import.meta.dirname, 'plain-loop.mjs');
  const output = join(folder, `${Math.random()}.out`);
  const { stdout } = await promisify(execFile)(process.execPath, [program, workload, rowsFile(rows), output]);
  await rm(output);
  return Number(stdout);
}
