// Records the answers of a hosted service beside a workflow, which then answers in its place. Who calls: the control API.
// The rules of what may be recorded stand here and in `domain/hosted/recorded-answers.ts`.
import { basename, dirname, join } from 'node:path';
import { eventLoopYield } from '../../base/event-loop-yield.ts';
import {
  answersDepend,
  nothingToRecord,
  notRecordable,
  orderNotProven,
  severalToRecord,
} from '../../domain/hosted-errors.ts';
import { AnswerCollector, type RecordedAnswersView } from '../../domain/hosted/recorded-answers.ts';
import type { Run } from '../../domain/run/run.ts';
import { fileNotSaved } from '../../domain/workflow-errors.ts';
import { diskReason } from '../../files/read-bytes.ts';
import { textHash, writeTextFile } from '../../files/text-file.ts';
import { numberedLines } from '../runs/rerun-rows.ts';
import type { RunService } from '../runs/run-service.ts';
import type { LoadedWorkflow } from '../workflows/workflow-service.ts';
import type { AuthorFiles } from './author-files.ts';
import type { SaveService } from './save-service.ts';

type AnswerRecordingDeps = {
  readonly runs: Pick<RunService, 'list' | 'get' | 'resolve' | 'readRows' | 'readOutputs'>;
  readonly files: AuthorFiles;
  readonly saves: SaveService;
};

export type RecordingChoice = {
  /** Absent: all completed runs of the workflow at hosted services. */
  readonly runIds?: readonly string[] | undefined;
  /** Runs of this connection alone. */
  readonly connection?: string | undefined;
  /** Also records outputs that were matched to rows by their order. */
  readonly acceptsOrder?: boolean | undefined;
};

type HostedCompletedRun = Run & { readonly hosted: NonNullable<Run['hosted']>; readonly finishedAt: string };

/** Maximum completed runs of a workflow that are looked at, the newest. */
const maxRuns = 10_000;

export class AnswerRecording {
  readonly #deps: AnswerRecordingDeps;

  constructor(deps: AnswerRecordingDeps) {
    this.#deps = deps;
  }

  /** Writes the records, and the nodes if the workflow has none. Throws `invalid_input` for what must not be recorded. */
  async record(loaded: LoadedWorkflow, choice: RecordingChoice): Promise<RecordedAnswersView> {
    // The start of a server does not load the parsers.
    const { recordedNodes, recordsFileName, withRecordedNodes } =
      await import('../../domain/hosted/recorded-files.ts');
    const { files } = this.#deps;
    await files.assertWritable(loaded);
    const { runs, connection, newestAt } = await this.#chosenRuns(loaded.id, choice);
    const isByOrder = runs.some(({ hosted }) => hosted.matchedBy === 'order');
    const answers = new AnswerCollector({ hash: textHash });
    for (const run of runs) await this.#collect(run, answers);
    if (answers.rows === 0) throw nothingToRecord(loaded.id, choice.connection);
    const { compared, differing } = answers.dependence;
    if (differing * 2 > compared) throw answersDepend({ compared, differing });
    const file = join(dirname(loaded.file), recordsFileName(loaded.id));
    const recording = { workflowId: loaded.id, connection, newestAt, isByOrder };
    const text = withRecordedNodes(loaded.source, recording);
    await this.#write(file, [...answers.records()].join(''));
    if (text !== undefined) await this.#save(loaded, text);
    const { rows, changedRows, rowsWithoutOutput, leftOut } = answers;
    return {
      workflowId: loaded.id,
      connection,
      file,
      rows,
      runs: runs.length,
      changedRows,
      rowsWithoutOutput,
      ...(leftOut === undefined ? {} : { leftOut }),
      ...(isByOrder ? { isByOrder } : {}),
      ...(text === undefined ? { nodes: recordedNodes(recording) } : {}),
    };
  }

  /** The runs that may be recorded, newest first: completed at one service, with outputs that were matched for sure. */
  async #chosenRuns(workflowId: string, { runIds, connection, acceptsOrder = false }: RecordingChoice) {
    const found =
      runIds === undefined ? await this.#allRuns(workflowId) : await this.#namedRuns(workflowId, runIds);
    const runs = found.filter(({ hosted }) => connection === undefined || hosted.connection === connection);
    const [newest] = runs;
    if (newest === undefined) throw nothingToRecord(workflowId, connection);
    const connections = [...new Set(runs.map(({ hosted }) => hosted.connection))];
    if (connections.length > 1) throw severalToRecord(connections);
    const byOrder = runs.filter(({ hosted }) => hosted.matchedBy === 'order');
    if (byOrder.length > 0 && !acceptsOrder) throw orderNotProven(byOrder.map(({ runId }) => runId));
    return { runs, connection: newest.hosted.connection, newestAt: newest.finishedAt };
  }

  async #allRuns(workflowId: string): Promise<readonly HostedCompletedRun[]> {
    const records = await this.#deps.runs.list({ workflowId, status: 'completed', limit: maxRuns });
    return newestFirst(records.map(({ run }) => run).filter(isRecordable));
  }

  async #namedRuns(workflowId: string, names: readonly string[]): Promise<readonly HostedCompletedRun[]> {
    const runs = new Map<string, HostedCompletedRun>();
    for (const name of names) {
      const { run } = await this.#deps.runs.get(await this.#deps.runs.resolve(name));
      if (run.workflowId !== workflowId) throw notRecordable(run.runId, `it is a run of ${run.workflowId}`);
      if (run.hosted === undefined)
        throw notRecordable(run.runId, 'it was executed here, not at a hosted service');
      if (!isRecordable(run))
        throw notRecordable(run.runId, `it is ${run.status}, and only completed runs are recorded`);
      runs.set(run.runId, run);
    }
    return newestFirst([...runs.values()]);
  }

  async #collect(run: HostedCompletedRun, answers: AnswerCollector): Promise<void> {
    const { runs } = this.#deps;
    const { runId } = run;
    const yieldIfLong = eventLoopYield();
    const outputs = numberedLines(runs.readOutputs(runId, run.rows));
    try {
      for await (const { line } of numberedLines(await runs.readRows(runId, 'all'))) {
        const output = await outputs.next();
        answers.add(run, textOf(line), output.done ? '' : textOf(output.value.line));
        await yieldIfLong();
      }
    } finally {
      // The reading of outputs ends even when the rows end first.
      await outputs.return(undefined);
    }
  }

  async #write(file: string, records: string): Promise<void> {
    const written = await this.#deps.files.writtenPath(file);
    await writeTextFile(written, records).catch((error: unknown) => {
      throw fileNotSaved(basename(file), diskReason(error));
    });
  }

  async #save(loaded: LoadedWorkflow, text: string): Promise<void> {
    const name = basename(loaded.file);
    const saved = await this.#deps.saves.save(loaded, {
      files: [{ name, baseHash: textHash(loaded.source), text }],
    });
    if (saved.kind !== 'saved') throw fileNotSaved(name, 'it was changed meanwhile. Record once more');
  }
}

const isRecordable = (run: Run): run is HostedCompletedRun =>
  run.status === 'completed' && run.hosted !== undefined;

const newestFirst = (runs: readonly HostedCompletedRun[]): readonly HostedCompletedRun[] =>
  runs.toSorted((one, other) => (one.finishedAt < other.finishedAt ? 1 : -1));

const textOf = (line: Uint8Array): string => Buffer.from(line).toString('utf8');
