// A new server on an empty folder and its first runs, as a user meets them: what they compute, collect and fork. Held as
// processor time, relative to that of a plain loop in the same minute, and as counts: other load of the machine moves
// both little.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { subjectAt, timeRun, writeWorkflows } from '../bench/subjects.ts';
import { readProbe, type ProbeReport } from '../builders/process-probe.ts';
import { familyCpuMs } from '../builders/process-usage.ts';
import { startServerProcess } from '../builders/server-process.ts';
import { textBody, textOutput, textRow } from '../builders/text-workload.ts';
import { report } from './length.ts';

const servers = 3;
const manyRows = 100_000;
const [oneRow, many] = [textBody(1), textBody(manyRows)];

type Measured = {
  /** Processor time of the plain loop, just before the server's start, in ms. */
  readonly loopMs: number;
  /** Processor time of ten runs of one row, the first ones, in ms. */
  readonly firstTenMs: number;
  /** Processor time of each run of many rows, in ms. */
  readonly manyMs: readonly number[];
  /** Full collections of the main thread in each of these runs. */
  readonly collections: readonly number[];
  /** Programs that were started before the first run, and during it. */
  readonly before: readonly string[];
  readonly during: readonly string[];
};

let measured: Measured[];

describe.runIf(process.platform === 'linux')('a new server', () => {
  beforeAll(async () => {
    measured = [];
    for (let count = 0; count < servers; count += 1) measured.push(await measure());
    for (const each of measured) report(`new server: ${JSON.stringify(each)}`);
  }, 180_000);

  it('computes for its first ten runs of one row at most as long as a plain loop for 70,000 rows', () => {
    expect(min(({ firstTenMs, loopMs }) => firstTenMs / loopMs)).toBeLessThan(0.7);
  });

  it('computes for 100,000 rows at most 6.5 times as long as a plain loop', () => {
    expect(min(({ manyMs, loopMs }) => Math.min(...manyMs) / loopMs)).toBeLessThan(6.5);
  });

  it('collects all garbage of its main thread at most twice in a run of 100,000 rows', () => {
    expect(Math.max(...measured.flatMap(({ collections }) => collections))).toBeLessThanOrEqual(2);
  });

  it('starts one row worker and one parser, each with the shell that guards it, before its first run', () => {
    for (const { before } of measured)
      expect(before.toSorted()).toEqual(['file-parser.cjs', 'row-worker.cjs', 'sh', 'sh']);
  });

  // The next warm worker starts two seconds after a run has taken one; a busy machine may take as long for a run.
  it('starts no process during its first run', () => {
    expect(min(({ during }) => during.length)).toBe(0);
  });
});

/** The lowest value of the servers: other load of the machine only adds. */
const min = (valueOf: (measured: Measured) => number): number => Math.min(...measured.map(valueOf));

async function measure(): Promise<Measured> {
  const loopMs = loopCpuMs();
  const folder = await mkdtemp(join(tmpdir(), 'rowbench-test-'));
  const probeReport = join(folder, 'report.json');
  const workflows = await writeWorkflows(folder, 'http://127.0.0.1:9/');
  const server = await startServerProcess({ dataDir: join(folder, 'data'), workflows, probeReport });
  try {
    const probe = (): Promise<ProbeReport> => readProbe(server, probeReport);
    const subject = subjectAt('Rowbench', server);
    const cpuMsOfRuns = async (runs: number, body: Buffer): Promise<number> => {
      const from = await familyCpuMs(server.pid);
      for (let run = 0; run < runs; run += 1) await timeRun(subject, 'text', body);
      return (await familyCpuMs(server.pid)) - from;
    };
    const { forked: before } = await probe();
    const firstMs = await cpuMsOfRuns(1, oneRow);
    const { forked: during } = await probe();
    const firstTenMs = firstMs + (await cpuMsOfRuns(9, oneRow));
    const manyMs: number[] = [];
    const collections = [(await probe()).fullCollections];
    for (let run = 0; run < 2; run += 1) {
      manyMs.push(await cpuMsOfRuns(1, many));
      collections.push((await probe()).fullCollections);
    }
    return {
      loopMs,
      firstTenMs,
      manyMs,
      collections: collections.slice(1).map((count, run) => count - collections[run]!),
      before,
      during: during.slice(before.length),
    };
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Processor time that this process takes to read, transform and write the rows of text, in ms. */
function loopCpuMs(): number {
  const lines = Array.from({ length: manyRows }, (_, index) => JSON.stringify(textRow(index)));
  const from = process.cpuUsage();
  for (const line of lines) JSON.stringify(textOutput(JSON.parse(line) as ReturnType<typeof textRow>));
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1000;
}
