// The cost of small runs, compared with a minimal server: one row from trigger to output, and many by 8 clients.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { textRow } from '../builders/text-workload.ts';
import { atLeast, atMost, median, quantile, medianRatio, report } from './figures.ts';
import {
  dropConnections,
  startFloor,
  startRowbench,
  timeRun,
  writeWorkflows,
  type Subject,
} from './subjects.ts';

let folder: string;
let rowbench: Subject;
let floor: Subject;
const oneRow = Buffer.from(JSON.stringify({ rows: [textRow(1)] }));

/**
 * A server that has served for a minute is as fast as it gets: so many runs to each before one is counted, in rounds, as
 * one that then waits for others to be warm is slower again.
 */
const warmUps = { rounds: 5, runs: 2_000 };

async function warm(subject: Subject): Promise<void> {
  dropConnections();
  const client = async (): Promise<void> => {
    for (let done = 0; done < warmUps.runs / 8; done += 1) await timeRun(subject, 'text', oneRow);
  };
  await Promise.all(Array.from({ length: 8 }, client));
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rowbench-bench-'));
  const workflows = await writeWorkflows(folder, 'http://127.0.0.1:9/');
  rowbench = await startRowbench({ dataDir: join(folder, 'data'), workflows });
  floor = await startFloor(join(folder, 'floor'), '');
  for (let round = 0; round < warmUps.rounds; round += 1)
    for (const subject of [rowbench, floor]) await warm(subject);
}, 180_000);

afterAll(async () => {
  await Promise.all([rowbench, floor].map((each) => each.stop()));
  await rm(folder, { recursive: true, force: true });
});

it(
  'a run of one row, from trigger to output, compared with a floor server',
  { timeout: 120_000 },
  async () => {
    const times = new Map<Subject, number[]>([rowbench, floor].map((subject) => [subject, []]));
    for (let turn = 0; turn < 200; turn += 1) {
      for (const [subject, taken] of times) {
        const { ms } = await timeRun(subject, 'text', oneRow);
        taken.push(ms);
      }
    }
    const ours = times.get(rowbench) ?? [];
    const summary = (taken: number[]): string =>
      `${median(taken).toFixed(1)} ms (p95 ${quantile(taken, 0.95).toFixed(1)})`;
    const floors = times.get(floor) ?? [];
    report(
      atMost(2, {
        what: 'one row, trigger to output read',
        ours: summary(ours),
        baseline: `${floor.name} ${summary(floors)}`,
        ratio: median(ours) / median(floors),
      }),
    );
  },
);

/** Runs of one row that 8 clients bring to their end in so many seconds. */
async function smallRuns(subject: Subject, seconds: number): Promise<number> {
  dropConnections();
  const until = performance.now() + seconds * 1000;
  let done = 0;
  const client = async (): Promise<void> => {
    while (performance.now() < until) {
      await timeRun(subject, 'text', oneRow);
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: 8 }, client));
  return done / seconds;
}

it('small runs of 8 clients, compared with a floor server', { timeout: 120_000 }, async () => {
  const rates = new Map<Subject, number[]>([rowbench, floor].map((subject) => [subject, []]));
  for (let turn = 0; turn < 9; turn += 1)
    for (const [subject, taken] of rates) taken.push(await smallRuns(subject, 1));
  const ours = rates.get(rowbench) ?? [];
  expect(median(ours)).toBeGreaterThan(0);
  const floors = rates.get(floor) ?? [];
  report(
    atLeast(0.5, {
      what: 'runs of one row, 8 clients',
      ours: `${median(ours).toFixed(0)} runs/s`,
      baseline: `${floor.name} ${median(floors).toFixed(0)} runs/s`,
      ratio: medianRatio(ours, floors),
    }),
  );
});
