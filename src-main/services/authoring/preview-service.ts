// Previews drafts of workflows: runs a few rows of the text in an editor, stores nothing and calls no service, unless a
// user asks for one call. Who calls: the control API.
// INVARIANT: a draft that a run would refuse as untrusted is not run here either. A preview makes no call by itself.
import { randomUUID } from 'node:crypto';
import { AppError } from '../../base/app-error.ts';
import type { Clock } from '../../base/clock.ts';
import type { JsonObject, JsonValue } from '../../base/json-value.ts';
import { LruMap } from '../../base/lru-map.ts';
import type { StartedTask } from '../../base/newest-task.ts';
import type { Cassette } from '../../domain/cassette/cassette.ts';
import type { SeenValues } from '../../domain/authoring/language/language-context.ts';
import { beginning } from '../../domain/rows/preview-row.ts';
import type { CallOnce, Preview, PreviewMode, PreviewRowsInput } from '../../domain/run/preview.ts';
import { callNotMade, previewMissing, workflowInvalid } from '../../domain/workflow-errors.ts';
import { placedIssue, type Issue } from '../../domain/workflow/issue.ts';
import type { Retry } from '../../domain/workflow/workflow.ts';
import { type Plan, fixedSeed } from '../../executor/plan.ts';
import type { WorkerPool } from '../../executor/pool/worker-pool.ts';
import type { Upstream } from '../../executor/ports.ts';
import type { TableFiles } from '../../files/table-files.ts';
import { previewRows, type PreviewRow } from '../../executor/run/preview-rows.ts';
import { checkDraft, type DraftCheckDeps, type RunnableDraft } from './check-draft.ts';
import { describePreview, type PreviewResult, type TracedValue } from './describe-preview.ts';
import { RequestedCall } from './requested-call.ts';
import type { CalledAnswer } from './called-answers.ts';
import { PreviewCalls } from './preview-calls.ts';
import type { PreviewRowReader, PreviewRows } from './preview-row-reader.ts';
import { afterSlowField, separateFields } from './preview-fields.ts';
import { PreviewSession, seenIn } from './preview-session.ts';

export type PreviewServiceDeps = DraftCheckDeps & {
  readonly input: PreviewRowReader;
  /** Workers of previews alone. */
  readonly pool: WorkerPool;
  readonly readCassette: (workflowId: string) => Promise<Cassette | undefined>;
  /** Makes calls over the network, with the grants of the workflow and of those that it calls. */
  readonly liveUpstream: (workflowId: string, calledIds: readonly string[]) => Upstream;
  /** Records answers in the workflow's cassette; resolves to its name. */
  readonly recordAnswers: (workflowId: string, answers: readonly CalledAnswer[]) => Promise<string>;
  readonly clock: Clock;
};

export type PreviewRequest = {
  readonly workflowId: string;
  /** The draft. */
  readonly text: string;
  readonly rows: PreviewRowsInput;
  /** Maximum rows. */
  readonly count: number;
  readonly mode: PreviewMode;
  /** Values of nodes that do not run, by node id. */
  readonly values: JsonObject;
  /** Node whose expressions are shown, each with its value. */
  readonly fieldsOf?: string | undefined;
  /** Item of that node for which they are shown, from 1; absent: the first. */
  readonly item?: number | undefined;
  /** Name of a profile; empty: the defaults of the file; absent: that of the server. */
  readonly profile?: string | undefined;
  /** Tables of the draft; absent: those of the disk. */
  readonly tables?: TableFiles | undefined;
};

/** A value of the last preview. `isRead`: an item that the node reads, not what it gives for it. */
type ValueAddress = {
  readonly row: number;
  /** Absent: the row's output. */
  readonly nodeId?: string | undefined;
  /** From 1; absent: the values of all items. */
  readonly item?: number | undefined;
  readonly isRead?: boolean | undefined;
};

/** A node in a row of the last preview. */
type AnsweredCall = { readonly workflowId: string; readonly row: number; readonly nodeId: string };

export type CallRequest = AnsweredCall & {
  /** The draft. */
  readonly text: string;
  /** True: the node's call was made before at the request of a user, and is made again. */
  readonly isAgain?: boolean | undefined;
};

/** Limits in ms of computing: of one preview, and of the row whose call is made. */
const maxPreviewMs = 1000;
const maxCallMs = 3000;
/** Workflows whose last preview and called answers stay in memory. */
const maxSessions = 8;
/** Characters of a called answer, and of a whole value. */
const maxAnswerCharacters = 2000;
const maxValueCharacters = 1_000_000;

export class PreviewService {
  readonly #deps: PreviewServiceDeps;
  readonly #sessions = new LruMap<string, PreviewSession>({ maxEntries: maxSessions });
  readonly #underWay = new Set<PreviewSession>();
  readonly #closing = new AbortController();

  constructor(deps: PreviewServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Runs the first rows of the draft. A newer preview of the workflow aborts it. Throws `workflow_untrusted`, `workflow_not_found`, and for rows
   * that are not there `row_set_not_found`, `run_not_found` or `data_unreadable`.
   */
  async preview(request: PreviewRequest): Promise<Preview> {
    const { clock } = this.#deps;
    const startedAt = clock.monotonic();
    const session = this.#sessionOf(request.workflowId);
    const task = session.tasks.start();
    this.#underWay.add(session);
    try {
      const outcome = await this.#preview(request, { session, task });
      return { ...outcome, ms: Math.round((clock.monotonic() - startedAt) * 10) / 10 };
    } finally {
      task.end();
      this.#underWay.delete(session);
    }
  }

  /**
   * Makes one call of the node for a row of the last preview, with the attempts of its `retry`, and runs that row. Later
   * previews answer equal calls with the same answer. Throws `workflow_untrusted`, `workflow_invalid`, and `invalid_input` for a row that was not previewed.
   */
  async call({ workflowId, text, row, nodeId, isAgain = false }: CallRequest): Promise<CallOnce> {
    const session = this.#sessionOf(workflowId);
    const { shown } = session;
    const input = shown?.rows.find(({ number }) => number === row);
    if (shown === undefined || input === undefined) throw previewMissing(row);
    const { mode, mocks: chosenMocks, chosenProfile: profile, tables } = shown;
    const checked = await checkDraft(this.#deps, { workflowId, text, mode, chosenMocks, profile, tables });
    if ('issues' in checked) throw workflowInvalid(workflowId, checked.issues.map(placedIssue));
    const upstream = this.#deps.liveUpstream(workflowId, checked.calledIds);
    const { clock } = this.#deps;
    const requested = new RequestedCall({
      row,
      nodeId,
      isAgain,
      upstream,
      retry: retryOf(checked, nodeId),
      clock,
    });
    const calls = this.#callsOf(checked, { session, mode, requested });
    const limits = { signal: this.#closing.signal, maxComputingMs: maxCallMs };
    const [result] = await this.#run({ checked, calls, rows: [input] }, limits);
    if (result === undefined) throw previewMissing(row);
    session.replaceResult(result);
    const { answer, attempts, skippedPauseMs } = requested;
    const made = { row: result.view, attempts, ...(skippedPauseMs === undefined ? {} : { skippedPauseMs }) };
    if (answer === undefined) return { ...made, problem: notMade(result, nodeId) };
    if (answer.kind === 'failed') return { ...made, problem: answer.message };
    const body = Buffer.from(answer.body.buffer, answer.body.byteOffset, answer.body.byteLength);
    const start = body.subarray(0, maxAnswerCharacters * 3).toString('utf8');
    return {
      ...made,
      answer: { status: answer.status, bytes: body.length, text: beginning(start, maxAnswerCharacters) },
    };
  }

  /** Drops the answers that the node got from a service in the last preview: later previews ask for the call again. */
  forgetAnswer({ workflowId, row, nodeId }: AnsweredCall): void {
    const session = this.#sessionOf(workflowId);
    session.forgetAnswers(session.calledAnswers(row, nodeId));
  }

  /**
   * Records the answers that the node got from a service in the last preview, as a recorded run does. From then on they come
   * from the workflow's cassette. Throws `invalid_input` for a node that made no call.
   */
  async keepAnswer({ workflowId, row, nodeId }: AnsweredCall): Promise<{ readonly cassette: string }> {
    const session = this.#sessionOf(workflowId);
    const answers = session.calledAnswers(row, nodeId);
    if (answers.length === 0) throw callNotMade(nodeId, row);
    const cassette = await this.#deps.recordAnswers(workflowId, answers);
    session.forgetAnswers(answers);
    return { cassette };
  }

  /** The JSON of a node's value, or of the row's output, as the last preview showed it; undefined for none. */
  value(
    workflowId: string,
    { row, nodeId, item, isRead = false }: ValueAddress,
  ): { readonly json: string; readonly isCut: boolean } | undefined {
    const shown = this.#sessions.get(workflowId)?.shown;
    const result = shown?.results.find(({ view }) => view.number === row);
    if (result === undefined) return undefined;
    if (nodeId === undefined) return result.output === undefined ? undefined : cutJson(result.output);
    const value = isRead ? result.itemsRead : result.values.get(nodeId);
    if (item !== undefined) return itemOf(value, item);
    if (value === undefined || value.kind === 'left out') return undefined;
    return value.kind === 'cut' ? { json: value.text, isCut: true } : cutJson(JSON.stringify(value.value));
  }

  /** Rows and values of the last preview, for completions; those that are large are left out. */
  seenValues(workflowId: string): SeenValues {
    return seenIn(this.#sessions.get(workflowId)?.shown);
  }

  /** Ends all previews. */
  async close(): Promise<void> {
    this.#closing.abort();
    for (const session of this.#underWay) session.tasks.abort();
  }

  async #preview(
    request: PreviewRequest,
    { session, task }: { readonly session: PreviewSession; readonly task: StartedTask },
  ): Promise<Omit<Preview, 'ms'>> {
    const { mode, profile, tables } = request;
    const mocks = request.rows.of === 'rows' ? request.rows.mocks : undefined;
    const checked = await checkDraft(this.#deps, { ...request, chosenMocks: mocks });
    if ('issues' in checked) return task.signal.aborted ? superseded : { issues: checked.issues, rows: [] };
    const rows = await this.#readRows(checked, request);
    await task.previousEnded;
    if (task.signal.aborted) return superseded;
    if ('issues' in rows) return { issues: rows.issues, rows: [] };
    const calls = this.#callsOf(checked, { session, mode });
    const limits = { signal: task.signal, maxComputingMs: maxPreviewMs };
    const results = await this.#run({ checked, calls, rows: rows.rows }, limits);
    if (task.signal.aborted) return superseded;
    session.shown = { mode, mocks, chosenProfile: profile, tables, rows: rows.rows, results };
    const { isSampleRow, ofRun } = rows;
    return {
      issues: [],
      rows: results.map(({ view }) => view),
      ...(isSampleRow === undefined ? {} : { isSampleRow }),
      ...(ofRun === undefined ? {} : { ofRun }),
      ...(checked.profile === undefined ? {} : { profile: checked.profile }),
    };
  }

  async #readRows(
    { workflowId, draft, plan }: RunnableDraft,
    { rows: choice, count, values, tables }: PreviewRequest,
  ): Promise<PreviewRows | { readonly issues: readonly Issue[] }> {
    try {
      const read = await this.#deps.input.read({ ...draft, workflowId, tables }, choice, count);
      const reusedValues = reusedLine(plan, values);
      return reusedValues === undefined
        ? read
        : { ...read, rows: read.rows.map((row) => ({ ...row, reusedValues })) };
    } catch (error) {
      const input = draft.workflow.nodes.find(({ type }) => type === 'input');
      const isOfFile =
        error instanceof AppError && error.code === 'invalid_input' && choice.of === 'testRows';
      if (!isOfFile || input === undefined) throw error;
      const { id: nodeId, line } = input;
      return { issues: [{ severity: 'error', message: error.message, line, column: 1, nodeId }] };
    }
  }

  #callsOf(
    checked: RunnableDraft,
    {
      session,
      mode,
      requested,
    }: { readonly session: PreviewSession; readonly mode: PreviewMode; readonly requested?: RequestedCall },
  ): PreviewCalls {
    return new PreviewCalls({
      answers: session.answers,
      readCassette: () => this.#deps.readCassette(checked.workflowId),
      usesCassette: mode !== 'off',
      requested,
      maxAttempts: (nodeId) => retryOf(checked, nodeId)?.attempts ?? 1,
    });
  }

  async #run(
    {
      checked,
      calls,
      rows,
    }: {
      readonly checked: RunnableDraft;
      readonly calls: PreviewCalls;
      readonly rows: readonly PreviewRow[];
    },
    limits: { readonly signal: AbortSignal; readonly maxComputingMs: number },
  ): Promise<readonly PreviewResult[]> {
    const { pool, clock } = this.#deps;
    const { workflowId, draft, plan, fields } = checked;
    const end = await previewRows({
      ...limits,
      // Services that know the key of a call would answer it as they did the last time.
      previewId: randomUUID(),
      pool,
      planKey: workflowId,
      plan,
      ...afterSlowField(checked),
      seed: fixedSeed,
      rows,
      upstream: calls,
      clock,
    });
    const results = describePreview({ plan: end.plan, draft, rows, end, calls });
    return end.plan === plan ? separateFields(results, fields) : results;
  }

  #sessionOf(workflowId: string): PreviewSession {
    const session = this.#sessions.get(workflowId) ?? new PreviewSession();
    this.#sessions.set(workflowId, session);
    return session;
  }
}

const retryOf = ({ plan }: RunnableDraft, nodeId: string): Retry | undefined =>
  plan.nodes.find(({ id }) => id === nodeId)?.retry;

const superseded = { issues: [], rows: [], superseded: true } as const;

/** The values of the plan's nodes; input and output nodes always run, since they check the row and assemble values. */
function reusedLine({ nodes }: Plan, values: JsonObject): string | undefined {
  const entries = nodes.flatMap(({ id, type }): [string, JsonValue][] => {
    const value = Object.hasOwn(values, id) ? values[id] : undefined;
    return value === undefined || type === 'input' || type === 'output' ? [] : [[id, value]];
  });
  return entries.length === 0 ? undefined : JSON.stringify(entries);
}

/** The JSON of one item of a list, from 1; undefined for none. */
function itemOf(list: TracedValue | undefined, item: number) {
  if (list?.kind !== 'whole' || !Array.isArray(list.value)) return undefined;
  const value = (list.value as readonly JsonValue[])[item - 1];
  return value === undefined ? undefined : cutJson(JSON.stringify(value));
}

function cutJson(json: string): { readonly json: string; readonly isCut: boolean } {
  const isCut = json.length > maxValueCharacters;
  return { json: isCut ? beginning(json, maxValueCharacters) : json, isCut };
}

function notMade({ view: { nodes, number } }: PreviewResult, nodeId: string): string {
  const before = nodes.find(({ state }) => state === 'notCalled');
  return before === undefined || before.nodeId === nodeId
    ? `The node "${nodeId}" makes no call for row ${number}`
    : `The node "${nodeId}" is not reached for row ${number}: call "${before.nodeId}" first`;
}
