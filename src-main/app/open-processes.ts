// Starts the processes that a data folder's services use: row workers of runs and of previews, and parsers of files.
import { systemClock } from '../base/system-clock.ts';
import type { Settings } from '../domain/settings.ts';
import { ParserProcess, parserMemoryMb } from '../executor/parser/parser-process.ts';
import { parserCodec } from '../executor/parser/parser-protocol.ts';
import { RowsFileProcess } from '../executor/parser/rows-file-process.ts';
import { rowsFileCodec } from '../executor/parser/rows-file-protocol.ts';
import { SheetProcess, sheetMemoryMb } from '../executor/parser/sheet-process.ts';
import { sheetCodec } from '../executor/parser/sheet-protocol.ts';
import { utilityProcesses, utilityWorkers } from '../executor/process/utility-worker.ts';
import { WorkerPool, type WorkerPoolOptions } from '../executor/pool/worker-pool.ts';
import { FileParser, parserInProcess } from '../services/workflows/file-parser.ts';
import { collectGarbage } from '../storage/sqlite/released-buffers.ts';
import { siblingOfWorker, type Processes, type ServiceOptions } from '../services/platform.ts';

/** Row workers and parsers, each started when it is first needed, or at once with `keepsWarm`. */
export function openProcesses(options: ServiceOptions, settings: Settings): Processes {
  const { closePool, pool } = openPool(options, settings);
  const { closeParsers, ...parsers } = openParsers(options);
  const previewPool = openPreviewPool(options, settings);
  const sheetProcess = openSheetProcess(options);
  const close = async (): Promise<void> =>
    void (await Promise.all([closePool(), previewPool.close(), closeParsers(), sheetProcess.close()]));
  return { pool, ...parsers, previewPool, sheetProcess, openRowsFile: rowsFileOpener(options), close };
}

function openSheetProcess({ workerScript, forkUtility }: ServiceOptions): SheetProcess {
  const script = siblingOfWorker(workerScript, 'sheet-reader.cjs');
  const program = { script, memoryMb: sheetMemoryMb, name: 'Rowbench reader of spreadsheets' };
  const start = forkUtility === undefined ? undefined : utilityProcesses(forkUtility, program, sheetCodec);
  return new SheetProcess({ script, clock: systemClock, start });
}

function rowsFileOpener({ workerScript, forkUtility }: ServiceOptions): () => RowsFileProcess {
  const script = siblingOfWorker(workerScript, 'sheet-reader.cjs');
  const program = { script, memoryMb: sheetMemoryMb, name: 'Rowbench reader of rows' };
  const start = forkUtility === undefined ? undefined : utilityProcesses(forkUtility, program, rowsFileCodec);
  return () => new RowsFileProcess({ script, clock: systemClock, start });
}

type OpenedParsers = {
  readonly parser: FileParser;
  readonly draftParser: FileParser;
  readonly closeParsers: () => Promise<void>;
};

/** Jobs on texts that are being typed: a slow one ends for a newer text, and their process waits for the next. In ms. */
const draftLimits = { yieldAfterMs: 500, idleMs: 60_000 };

/** Two processes, so that a draft which is slow to parse holds up no other file. */
function openParsers(options: ServiceOptions): OpenedParsers {
  const { isShort, workerScript, forkUtility, log } = options;
  const known = isShort === true ? parserInProcess : options.parser;
  if (known !== undefined) return { parser: known, draftParser: known, closeParsers: async () => {} };
  const script = siblingOfWorker(workerScript, 'file-parser.cjs');
  const program = { script, memoryMb: parserMemoryMb, name: 'Rowbench file parser' };
  const start = forkUtility === undefined ? undefined : utilityProcesses(forkUtility, program, parserCodec);
  const process = new ParserProcess({ script, clock: systemClock, log, start });
  if (options.keepsWarm === true) process.warmUp();
  const drafts = new ParserProcess({ script, clock: systemClock, log, start, ...draftLimits });
  return {
    parser: new FileParser(process.run),
    draftParser: new FileParser(drafts.run),
    closeParsers: async () => void (await Promise.all([process.close(), drafts.close()])),
  };
}

type OpenedPool = {
  readonly pool: WorkerPool;
  readonly closePool: () => Promise<void>;
};

function openPool(options: ServiceOptions, settings: Settings): OpenedPool {
  if (options.pool !== undefined) return { pool: options.pool, closePool: async () => {} };
  const pool = new WorkerPool({
    ...workerOptions(options, settings),
    // Frees the memory that runs left, about 40 MB after a large one, before the next run.
    onIdle: () => collectGarbage('major'),
    timeLimitMs: settings.rowTimeLimitMs,
  });
  if (options.keepsWarm === true) pool.keepWarm();
  return { pool, closePool: () => pool.close() };
}

/** The user waits for each preview, and another one follows with the next key. */
const previewLimits = {
  maxWorkers: 2,
  timeLimitMs: 250,
  graceMs: 20,
  idleMs: 60_000,
  isBackground: true,
};

/** Row workers of previews. They are few, and give way to those of runs. */
const openPreviewPool = (options: ServiceOptions, settings: Settings): WorkerPool =>
  new WorkerPool({ ...workerOptions(options, settings), ...previewLimits });

const workerOptions = (
  { workerScript, forkUtility, log }: ServiceOptions,
  { workerMemoryMb: memoryMb }: Settings,
): Omit<WorkerPoolOptions, 'timeLimitMs'> => ({
  workerScript,
  // Processes live in real time, whatever clock the runs' waits are on.
  clock: systemClock,
  log,
  memoryMb,
  ...(forkUtility === undefined
    ? {}
    : { startWorker: utilityWorkers(forkUtility, { script: workerScript, memoryMb }) }),
});
