// Runs one workflow file once, without a server: the same engine and stores, in a temporary folder that is removed
// afterwards.
import { resolve } from 'node:path';
import { systemClock } from '../base/system-clock.ts';
import { deferred } from '../base/deferred.ts';
import type { Log } from '../base/log.ts';
import { AppError } from '../base/app-error.ts';
import type { TraceView } from '../contract/index.ts';
import { cassetteMissing } from '../domain/workflow-errors.ts';
import { addCalls, noCalls, sharedNothingText, type CallCounts } from '../domain/results/call-counts.ts';
import type { ReadAs } from '../domain/run/read-as.ts';
import type { RowFailure } from '../domain/run/row-failure.ts';
import { isFinal } from '../domain/run/run-status.ts';
import type { RowLines } from '../domain/run/row-numbers.ts';
import type { RowCounts, Run } from '../domain/run/run.ts';
import type { SampleChoice } from '../domain/rows/row-sample.ts';
import type { Secret } from '../domain/secrets/secret.ts';
import type { Issue } from '../domain/workflow/issue.ts';
import type { WorkflowsFile } from '../domain/trust/workflows-file.ts';
import type { AddressClass } from '../domain/upstream/address-class.ts';
import { freshView, traceView } from '../presenters/trace-views.ts';
import { countLines } from '../domain/rows/line-bytes.ts';
import type { NewRun, RunInputs } from '../services/runs/new-run.ts';
import { inProfile } from '../services/workflows/profile-service.ts';
import type { SampleState } from '../services/results/sample-service.ts';
import type { LoadedWorkflow } from '../services/workflows/workflow-service.ts';
import { CassetteFile } from '../storage/cassettes/cassette-file.ts';
import { findKeeper } from '../storage/data-location.ts';
import { openStoredDecisions } from '../storage/documents/open-documents.ts';
import type { JsonDocument } from '../storage/documents/json-document.ts';
import { createTemporaryFolder } from '../files/temporary-folder.ts';
import { assertFileTrusted } from '../services/workflows/named-file.ts';
import type { Services } from '../services/services.ts';
import { openServices } from './open-services.ts';

type RunFileOptions = {
  readonly file: string;
  /** Chooses the rows once the workflow is known: lines of JSON, in any chunks, each line ended by a newline. */
  readonly rows: (workflow: LoadedWorkflow) => AsyncIterable<Uint8Array>;
  /** How the file of the rows was read; called once they are read. */
  readonly readAs?: () => ReadAs | undefined;
  readonly workerScript: string;
  readonly inputs?: RunInputs;
  /** Runs only a part of the rows: the sample, or the rows that it leaves out. */
  readonly sample?: { readonly choice: SampleChoice; readonly isRest: boolean };
  /** The file of the cassette that is recorded or played. */
  readonly cassette?: string;
  /** The user's data folder, for its secrets. */
  readonly secretsFrom: string;
  readonly extraSecrets: readonly Secret[];
  /** Address classes that calls may reach in addition to the granted ones. */
  readonly allowNetwork?: readonly AddressClass[];
  /** True if calls go through the proxy of the environment. */
  readonly usesProxy?: boolean | undefined;
  readonly log: Log;
  readonly onProgress?: (counts: RowCounts, rows: number) => void;
  /** Aborting cancels the run; the result then has the status `cancelled`. */
  readonly signal?: AbortSignal;
};

export type RunFileResult = {
  readonly run: Run;
  /** Remarks about the files of the workflow's tables, at the nodes that name them. */
  readonly notes: readonly Issue[];
  readonly failures: readonly RowFailure[];
  /** Calls whose answers are in the cassette now; undefined where the run recorded none or did not end. */
  readonly recordedCalls: number | undefined;
  /** Requests that got different answers while they were recorded. */
  readonly differingRequests: number;
  readonly calls: CallCounts;
  /** Remark about calls that were to be shared, if none was. */
  readonly sharedNothing: string | undefined;
  /** The rows that a sample leaves out, with their estimate; undefined for other runs. */
  readonly sample: SampleState | undefined;
  outputs(): AsyncIterable<RowLines>;
  /** How the row went; it runs once more where not all of it is kept. Throws `invalid_input` for no row of the run. */
  trace(row: number): Promise<TraceView>;
  /** Removes everything the run left. */
  close(): Promise<void>;
};

/** More than a person reads; the run's `error` names the first. */
const maxFailures = 1000;

/** Runs the file's workflow to its end. Throws `workflow_not_found`, `workflow_invalid`, or `workflow_untrusted`. */
export async function runWorkflowFile(options: RunFileOptions): Promise<RunFileResult> {
  const file = resolve(options.file);
  const cassette = await cassetteOf(options);
  const decisions = await decisionsOn(file, options.log);
  const folder = await createTemporaryFolder();
  const opened = await openServices({
    dataDir: folder.path,
    workflowFiles: [file],
    relativeCalls: true,
    isShort: true,
    keepsWarm: true,
    workerScript: options.workerScript,
    secretsFrom: options.secretsFrom,
    extraSecrets: options.extraSecrets,
    allowNetwork: options.allowNetwork ?? [],
    usesProxy: options.usesProxy === true,
    ...(cassette === undefined ? {} : { cassette }),
    ...(decisions === undefined ? {} : { decisions }),
    clock: systemClock,
    log: options.log,
  });
  const close = async (): Promise<void> => {
    await opened.close();
    await folder.remove();
  };
  const { services } = opened;
  try {
    const workflow = await onlyWorkflow(services, file);
    await assertFileTrusted(
      file,
      (await inProfile(workflow, options.inputs?.profile, services.workflows.parser)).source,
    );
    // Nothing to recover in a new folder, but runs start only when that is known.
    await services.runs.runs.recover();
    const run = await runToItsEnd(services, workflow, options);
    const notes = await notesOf(services, workflow, options.inputs);
    return { ...(await resultOf(services, run)), notes, ...recorded(cassette), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function resultOf({ runs: { runs }, results }: Services, run: Run) {
  const { traces, samples } = results;
  const { runId } = run;
  const { plan, nodes } = await traces.nodes(runId);
  const sharing = new Set(plan.nodes.flatMap(({ id, config }) => ('share' in config ? [id] : [])));
  return {
    run,
    failures: await runs.readFailures(runId, maxFailures),
    calls: nodes.reduce((sum, node) => addCalls(sum, node.calls ?? noCalls), noCalls),
    sharedNothing: sharedNothingText(
      nodes.map(({ nodeId, calls = noCalls }) => ({
        calls,
        ...(sharing.has(nodeId) ? { isShared: true as const } : {}),
      })),
    ),
    sample: await samples.state(runId),
    outputs: () => runs.readOutputs(runId),
    trace: async (row: number): Promise<TraceView> => {
      const stored = await traces.stored(runId, row);
      const view = stored && traceView(stored, {});
      return view?.hasValues === true ? view : freshView(await traces.again(runId, row), {});
    },
  };
}

/** The tables were read for the run, so nothing is read again. */
async function notesOf(
  { workflows: { sources, parser } }: Services,
  loaded: LoadedWorkflow,
  { mode, mocks, profile }: RunInputs = {},
): Promise<readonly Issue[]> {
  const owner = await inProfile(loaded, profile, parser);
  if (owner.workflow === undefined) return [];
  return (await sources.gather(owner, { mocks, mode, profile })).notes;
}

const recorded = (cassette: CassetteFile | undefined) => ({
  recordedCalls: cassette?.isWritten === true ? cassette.recordedCalls : undefined,
  differingRequests: cassette?.differingRequests ?? 0,
});

/** Trust decisions of the data folder that keeps the file; undefined if no data folder keeps it. */
async function decisionsOn(file: string, log: Log): Promise<JsonDocument<WorkflowsFile> | undefined> {
  const deps = { clock: systemClock, log };
  const keeper = await findKeeper(file);
  return keeper === undefined ? undefined : openStoredDecisions(keeper.dataDir, deps);
}

/** Throws `invalid_input` for one that is none, or to be played and not there: better now than as the run's failure. */
async function cassetteOf({ inputs, cassette, log }: RunFileOptions): Promise<CassetteFile | undefined> {
  if (cassette === undefined) return undefined;
  const opened = CassetteFile.at(cassette, { clock: systemClock, log });
  const isEmpty = (await opened.read()) === undefined;
  if (isEmpty && inputs?.mode === 'replay')
    throw cassetteMissing(opened.label, '"rowbench run FILE --record" makes it');
  return opened;
}

async function onlyWorkflow(services: Services, file: string): Promise<LoadedWorkflow> {
  const workflow = (await services.workflows.workflows.list()).find((candidate) => candidate.file === file);
  if (workflow === undefined) throw new AppError('workflow_not_found', `${file} cannot be read`);
  return workflow;
}

async function runToItsEnd(
  services: Services,
  workflow: LoadedWorkflow,
  options: RunFileOptions,
): Promise<Run> {
  const { runs } = services.runs;
  const draft = await runs.beginRun({
    workflow,
    origin: { kind: 'cli' },
    ...(options.inputs === undefined ? {} : { inputs: options.inputs }),
  });
  const ended = deferred<Run>();
  const stopListening = runs.events.listen(({ run, counts }) => {
    options.onProgress?.(counts, run.rows);
    if (isFinal(run.status)) ended.resolve(run);
  });
  try {
    const { runId } = await acceptRows(services, { draft, workflow }, options);
    const cancel = (): void => void runs.cancel(runId).catch(ended.reject);
    if (options.signal?.aborted) cancel();
    options.signal?.addEventListener('abort', cancel, { once: true });
    return await ended.promise;
  } finally {
    stopListening();
  }
}

function acceptRows(
  { results: { samples } }: Services,
  { draft, workflow }: { readonly draft: NewRun; readonly workflow: LoadedWorkflow },
  { rows, readAs, sample }: RunFileOptions,
): Promise<Run> {
  const readRows = async function* (): AsyncGenerator<Uint8Array> {
    yield* rows(workflow);
    const reading = readAs?.();
    if (reading !== undefined) draft.setReadAs(reading);
  };
  if (sample === undefined) return draft.acceptAll(readRows());
  return samples.start({ newRun: draft, workflowId: workflow.id, ...sample }, async (writer) => {
    let found = 0;
    for await (const chunk of readRows()) {
      found += countLines(chunk);
      await writer.write(chunk);
    }
    return found;
  });
}
