import type { Clock } from '../../../src-main/base/clock.ts';
import { silentLog } from '../../../src-main/base/log.ts';
import { systemClock } from '../../../src-main/base/system-clock.ts';
import type { RowFailure } from '../../../src-main/domain/run/row-failure.ts';
import { rowStateBytes, writeRowState } from '../../../src-main/domain/run/row-state.ts';
import type { Run } from '../../../src-main/domain/run/run.ts';
import { DataFolder } from '../../../src-main/storage/data-folder.ts';
import type { FileSystem } from '../../../src-main/storage/file-system.ts';
import { nothingKept, type Cut, type PowerCutFileSystem } from '../../builders/power-cut-file-system.ts';
import { queuedRun } from '../../builders/run-record.ts';
import type { RowResults } from '../../../src-main/storage/output-file.ts';

type Options = { readonly clock?: Clock; readonly mostCompactBytes?: number | undefined };

export const openFolder = (
  path: string,
  fileSystem?: FileSystem,
  options: Options = {},
): Promise<DataFolder> =>
  DataFolder.open({
    path,
    clock: hurriedClock,
    log: silentLog,
    ...options,
    ...(fileSystem === undefined ? {} : { fileSystem }),
  });

/** In a folder where each run has a folder of its own, however small it is. */
export const openWithFolders = (path: string, fileSystem?: FileSystem): Promise<DataFolder> =>
  openFolder(path, fileSystem, { mostCompactBytes: 0 });

/** The folder of a disk that a power cut left. */
export async function openAfterCut(disk: PowerCutFileSystem, cut: Cut = nothingKept) {
  const left = disk.afterCut(cut);
  if ((await left.list('/data')).includes('lock')) await left.remove('/data/lock');
  return { left, folder: await openFolder('/data', left) };
}

/** Real time stamps, but no waiting: a timer fires in the next turn. */
const hurriedClock: Clock = {
  ...systemClock,
  setTimer(_ms, fire) {
    const turn = setImmediate(fire);
    return () => clearImmediate(turn);
  },
};

export const runIdOf = (n: number): string => `0197a000-0000-7000-8000-${String(n).padStart(12, '0')}`;

/** The record of run number `n`. */
export const runOf = (n: number, rows: number, facts: Parameters<typeof queuedRun>[0] = {}) =>
  queuedRun({ runId: runIdOf(n), rows, ...facts });

export const rowLine = (row: number): string => `{"row":${row},"text":"é${'x'.repeat(row % 7)}"}\n`;
/** Every fifth row has no output. */
export const outputLine = (row: number): string => (row % 5 === 0 ? '\n' : `{"output":${row}}\n`);
export const linesOf = (line: (row: number) => string, first: number, last: number): string =>
  Array.from({ length: last - first + 1 }, (_, index) => line(first + index)).join('');

const failureOf = (row: number): RowFailure => ({
  row,
  nodeId: 'check',
  message: `no ${row} é`,
  attempts: 1,
});

/** Of rows 1 to `rows`. */
export const failuresOf = (rows: number): RowFailure[] =>
  Array.from({ length: Math.floor(rows / 5) }, (_, index) => failureOf(5 * (index + 1)));

/** The results of rows `first` to `last`: every fifth fails, and every second of the others has a trace. */
export function resultsOf(first: number, last: number): RowResults {
  const rows = last - first + 1;
  const states = new Uint8Array(rows * rowStateBytes);
  const traces: string[] = [];
  for (let row = first; row <= last; row += 1) {
    const state = row % 5 === 0 ? 'failed' : 'done';
    writeRowState(new DataView(states.buffer), (row - first) * rowStateBytes, {
      state,
      retries: row % 3,
      durationMicros: row,
    });
    if (state === 'failed')
      traces.push(`${JSON.stringify(failureOf(row)).slice(0, -1)},"nodes":[[1,${row},1]]}\n`);
    else if (row % 2 === 0) traces.push(`{"row":${row},"nodes":[${row}],"values":[[0,{}]]}\n`);
  }
  const failed = Math.floor(last / 5) - Math.floor((first - 1) / 5);
  const none = { skipped: 0, replaced: 0, retries: 0, micros: rows, buckets: [1, rows] };
  return {
    rows,
    outputs: Buffer.from(linesOf(outputLine, first, last)),
    states,
    trace: Buffer.from(traces.join('')),
    nodes: [{ nodeId: 'check', done: rows - failed, failed, ...none }],
  };
}

/** Accepts a run of `rows` rows. */
export async function acceptRun(folder: DataFolder, n: number, rows: number): Promise<Run> {
  const run = runOf(n, rows);
  const intake = await folder.runs.beginIntake(run.runId);
  await intake.write(Buffer.from(linesOf(rowLine, 1, rows)));
  await intake.commit(run);
  return run;
}

export async function textOf(
  chunks: AsyncIterable<{ firstRow: number; bytes: Uint8Array }>,
): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const { bytes } of chunks) parts.push(bytes);
  return Buffer.concat(parts).toString();
}
