// The cost of stored runs: a trigger and a start with 100,000 of them, compared with an empty folder; and a cold start.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../builders/temporary-folder.ts';
import { textRow } from '../builders/text-workload.ts';
import { atMost, median, report } from './figures.ts';
import { dropConnections, startRowbench, writeWorkflows, type Subject } from './subjects.ts';

const stored = Number(process.env['ROWBENCH_STORED_RUNS'] ?? 100_000);
const oneRow = Buffer.from(JSON.stringify({ rows: [textRow(1)] }));

it(`a server with ${stored} stored runs is as fast as an empty one`, { timeout: 1_800_000 }, async () => {
  const folder = await temporaryFolder();
  const workflows = await writeWorkflows(folder, 'http://127.0.0.1:9/');
  const [full, empty] = [join(folder, 'full'), join(folder, 'empty')];
  await Promise.all([full, empty].map((path) => keepAllRuns(path)));
  // Before the disk has so many runs to write down.
  const colds: number[] = [];
  for (let turn = 0; turn < 5; turn += 1)
    colds.push(await startToAnswer({ dataDir: join(folder, `cold-${turn}`), workflows }));
  const cold = median(colds);
  const lastRun = await fill({ dataDir: full, workflows });
  const starts = { full: [] as number[], empty: [] as number[] };
  for (let turn = 0; turn < 7; turn += 1) {
    starts.full.push(await startToAnswer({ dataDir: full, workflows }, lastRun));
    starts.empty.push(await startToAnswer({ dataDir: empty, workflows }));
  }
  const [withRuns, withNone] = [median(starts.full), median(starts.empty)];
  const count = stored.toLocaleString('en-US');
  report(
    atMost(1.1, {
      what: `start to first answer, ${count} stored runs`,
      ours: `${withRuns.toFixed(0)} ms`,
      baseline: `with none ${withNone.toFixed(0)} ms`,
      ratio: withRuns / withNone,
    }),
  );
  report(
    atMost(1, {
      what: 'cold start to first answer',
      ours: `${cold.toFixed(0)} ms`,
      baseline: 'half a second',
      ratio: cold / 500,
    }),
  );
  const [many, none] = [
    await startRowbench({ dataDir: full, workflows }),
    await startRowbench({ dataDir: empty, workflows }),
  ];
  dropConnections();
  const triggers = await triggerTimes([many, none]);
  await Promise.all([many.stop(), none.stop()]);
  const [toMany, toNone] = triggers.map(median);
  report(
    atMost(1.1, {
      what: `trigger of one row, ${count} stored runs`,
      ours: `${toMany?.toFixed(2)} ms`,
      baseline: `with few ${toNone?.toFixed(2)} ms`,
      ratio: (toMany ?? NaN) / (toNone ?? NaN),
    }),
  );
});

/** Retention keeps fewer by default. */
async function keepAllRuns(dataDir: string): Promise<void> {
  await mkdir(dataDir);
  const settings = { version: 1, retention: { days: 30, gigabytes: 100 } };
  await writeFile(join(dataDir, 'settings.json'), JSON.stringify(settings));
}

/** Returns the id of one of these runs. */
async function fill(options: { dataDir: string; workflows: string }): Promise<string> {
  const server = await startRowbench(options);
  let left = stored;
  let lastRun = '';
  const client = async (): Promise<void> => {
    while (left-- > 0) lastRun = await server.trigger('text', oneRow);
  };
  await Promise.all(Array.from({ length: 8 }, client));
  dropConnections();
  await expect.poll(() => server.status('text', lastRun), { timeout: 300_000 }).toBe('completed');
  await server.stop();
  return lastRun;
}

/** Milliseconds from the start of the process to an answer about a run, or to an accepted one. */
async function startToAnswer(
  options: { dataDir: string; workflows: string },
  runId?: string,
): Promise<number> {
  const began = performance.now();
  const server = await startRowbench(options);
  try {
    if (runId === undefined) await server.trigger('text', oneRow);
    else expect(await server.status('text', runId)).toBe('completed');
    return performance.now() - began;
  } finally {
    await server.stop();
  }
}

/** Runs both servers alternately, one run at a time. */
async function triggerTimes(subjects: readonly Subject[]): Promise<number[][]> {
  const taken = subjects.map((): number[] => []);
  for (let turn = -20; turn < 200; turn += 1) {
    for (const [which, subject] of subjects.entries()) {
      const began = performance.now();
      const runId = await subject.trigger('text', oneRow);
      if (turn >= 0) taken[which]?.push(performance.now() - began);
      await expect.poll(() => subject.status('text', runId), { interval: 2 }).toBe('completed');
    }
  }
  return taken;
}
