// Rows a second through the real API: sandboxed, durable and with the state of every row, beside a floor server without
// any of that, and beside a plain loop over a file.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { textOutput, textRow } from '../builders/text-workload.ts';
import { atLeast, withoutAim, median, medianRatio, report } from './figures.ts';
import {
  dropConnections,
  measureInterleaved,
  rate,
  startFloor,
  startPassThrough,
  startProgram,
  startRowbench,
  timeRun,
  writeWorkflows,
  type Subject,
  type Workload,
} from './subjects.ts';

const run = promisify(execFile);
const longest = 600_000;
/** Runs of 100,000 rows that warm up each server before it is measured. A minute of load gives full speed. */
const warmUps = 6;

let folder: string;
let rowbench: Subject;
let floor: Subject;
let passThrough: Subject;
let service: Awaited<ReturnType<typeof startProgram>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rowbench-bench-'));
  service = await startProgram('slow-service.mjs');
  const upstreamUrl = `http://127.0.0.1:${service.port}/`;
  const workflows = await writeWorkflows(folder, upstreamUrl);
  rowbench = await startRowbench({ dataDir: join(folder, 'data'), workflows });
  await mkdir(join(folder, 'floor'));
  floor = await startFloor(join(folder, 'floor'), upstreamUrl);
  passThrough = await startPassThrough(join(folder, 'passed'));
}, 60_000);

afterAll(async () => {
  await Promise.all([rowbench, floor, passThrough, service].map((each) => each.stop()));
  await rm(folder, { recursive: true, force: true });
});

/** The rows as a body of the interface, and as a file for the plain loop. */
async function rowsOf(count: number): Promise<{ body: Buffer; file: string }> {
  const lines = Array.from({ length: count }, (_, index) => JSON.stringify(textRow(index)));
  const file = join(folder, `rows-${count}.ndjson`);
  await writeFile(file, `${lines.join('\n')}\n`);
  return { body: Buffer.from(`{"rows":[${lines.join(',')}]}`), file };
}

/** Milliseconds of the plain loop, as it says itself: starting Node is not counted. */
async function plainLoop(workload: Workload, file: string): Promise<number> {
  const program = join(import.meta.dirname, 'plain-loop.mjs');
  const { stdout } = await run(process.execPath, [program, workload, file, `${file}.${Math.random()}.out`]);
  return Number(stdout);
}

const outputsOf = (output: Buffer): unknown[] =>
  Object.values((JSON.parse(output.toString()) as { data: object }).data);

it(
  'runs its first rows after a start, then as many as make the servers warm',
  { timeout: longest },
  async () => {
    const rows = 10_000;
    const { body, file } = await rowsOf(rows);
    const plain = await plainLoop('text', file);
    const { ms: ours } = await timeRun(rowbench, 'text', body);
    const { ms: floors } = await timeRun(floor, 'text', body);
    const what = 'text, 10,000 rows, the first run after a start';
    const comparedWith = (name: string, ms: number) => ({
      what,
      ours: rate(rows, ours),
      baseline: `${name} ${rate(rows, ms)}`,
      ratio: ms / ours,
    });
    report(withoutAim(comparedWith('floor server, its first too', floors)));
    report(withoutAim(comparedWith('plain loop', plain)));
    const many = await rowsOf(100_000);
    for (let round = 0; round < warmUps; round += 1)
      for (const subject of [rowbench, floor, passThrough]) {
        dropConnections();
        await timeRun(subject, 'text', many.body);
      }
  },
);

it.each([
  { rows: 1000, turns: 15 },
  { rows: 10_000, turns: 15 },
  { rows: 100_000, turns: 7 },
])('runs the text workload of $rows rows', { timeout: longest }, async ({ rows, turns: rounds }) => {
  const { body, file } = await rowsOf(rows);
  const runPhases: number[] = [];
  const through = async (subject: Subject): Promise<number> => {
    const { ms, runMs, output } = await timeRun(subject, 'text', body);
    if (subject === rowbench) runPhases.push(runMs);
    const outputs = outputsOf(output);
    expect(outputs).toHaveLength(rows);
    expect(outputs.at(-1)).toEqual(textOutput(textRow(rows - 1)));
    return ms;
  };
  const { ours, floors, passed, plain } = await measureInterleaved(rounds, {
    ours: () => through(rowbench),
    floors: () => through(floor),
    passed: async () => (await timeRun(passThrough, 'text', body)).ms,
    plain: () => plainLoop('text', file),
  });
  const what = `text, ${rows.toLocaleString('en-US')} rows`;
  const comparedWith = (name: string, times: readonly number[]) => ({
    what,
    ours: rate(rows, median(ours)),
    baseline: `${name} ${rate(rows, median(times))}`,
    ratio: medianRatio(times, ours),
  });
  report(atLeast(0.75, comparedWith('floor server', floors)));
  report(atLeast(0.6, comparedWith('plain loop', plain)));
  report(withoutAim(comparedWith('bare pass-through', passed)));
  // Without the two ways over HTTP, which the loop does not have.
  const phases = runPhases.slice(1);
  report(
    withoutAim({
      what: `${what}, from accepted to completed`,
      ours: rate(rows, median(phases)),
      baseline: `plain loop ${rate(rows, median(plain))}`,
      ratio: medianRatio(plain, phases),
    }),
  );
});

it('runs the code workload of 10,000 rows', { timeout: longest }, async () => {
  const rows = 10_000;
  const { body, file } = await rowsOf(rows);
  const { ours, plain, two, passed } = await measureInterleaved(7, {
    ours: async () => {
      const { ms, output } = await timeRun(rowbench, 'code', body);
      expect(outputsOf(output)).toHaveLength(rows);
      return ms;
    },
    plain: () => plainLoop('code', file),
    two: async () => Math.max(...(await Promise.all([plainLoop('code', file), plainLoop('code', file)]))),
    passed: async () => (await timeRun(passThrough, 'code', body)).ms,
  });
  // What the cores allow: two bare processes beside each other do so many times the work of one.
  const cores = plain.map((ms, round) => Math.max(1, (2 * ms) / (two[round] ?? Number.NaN)));
  const shared = plain.map((ms, round) => ms / (cores[round] ?? 1));
  const baseline = `plain loop ${rate(rows, median(plain))} x ${median(cores).toFixed(2)} cores`;
  report(
    atLeast(0.85, {
      what: `code, ${rows.toLocaleString('en-US')} rows`,
      ours: rate(rows, median(ours)),
      baseline,
      ratio: medianRatio(shared, ours),
    }),
  );
  // The function alone on all cores, once the rows have come in and before its outputs go out, and nothing else.
  const least = shared.map((ms, round) => ms + (passed[round] ?? Number.NaN));
  report(
    withoutAim({
      what: 'code, 10,000 rows, at the limit',
      ours: `${rate(rows, median(least))}: these cores and a bare pass-through`,
      baseline,
      ratio: medianRatio(shared, least),
    }),
  );
});

it('runs the upstream workload of 10,000 rows, 256 at once', { timeout: longest }, async () => {
  const rows = 10_000;
  const { body } = await rowsOf(rows);
  const through = async (subject: Subject): Promise<number> => {
    const { ms, output } = await timeRun(subject, 'upstream', body);
    expect(outputsOf(output)).toEqual(Array(rows).fill({ n: 1 }));
    return ms;
  };
  const { ours, floors } = await measureInterleaved(5, {
    ours: () => through(rowbench),
    floors: () => through(floor),
  });
  report(
    atLeast(1.2, {
      what: `upstream of 20 ms, ${rows.toLocaleString('en-US')} rows, 256 at once`,
      ours: rate(rows, median(ours)),
      baseline: `floor server ${rate(rows, median(floors))}`,
      ratio: medianRatio(floors, ours),
    }),
  );
});
