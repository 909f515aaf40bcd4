// Filter, order and labels of the calls in the API log. Pure functions, so that tests need no page.
import type { LimitUse, LoggedCall } from '#contract';
import type { CallFilter, LogOutcome } from './log-route.ts';

export const allCalls: CallFilter = { text: '' };

const isFiltered = ({ outcome, method, keyId, workflowId, text }: CallFilter): boolean =>
  text !== '' || [outcome, method, keyId, workflowId].some((part) => part !== undefined);

export function outcomeOf({ status, isCut }: Pick<LoggedCall, 'status' | 'isCut'>): LogOutcome {
  if (status === 0 || isCut === true) return 'cut';
  if (status === 429) return 'limited';
  if (status >= 500) return 'failed';
  return status >= 400 ? 'refused' : 'answered';
}

/** Known calls after newer ones, without calls that the server no longer stores. Newest first. */
export function addNewerCalls(
  known: readonly LoggedCall[],
  newer: readonly LoggedCall[],
  oldest: number,
): readonly LoggedCall[] {
  const first = known[0]?.number ?? 0;
  const calls = [...newer.filter(({ number }) => number > first), ...known];
  // The oldest calls are at the end.
  let end = calls.length;
  while (end > 0 && (calls[end - 1]?.number ?? oldest) < oldest) end -= 1;
  return end === calls.length ? calls : calls.slice(0, end);
}

/** Known calls before older ones. */
export function addOlderCalls(
  known: readonly LoggedCall[],
  older: readonly LoggedCall[],
): readonly LoggedCall[] {
  const last = known.at(-1)?.number ?? Infinity;
  return [...known, ...older.filter(({ number }) => number < last)];
}

/** Calls that match the filter and contain every word of its text. */
export function filterCalls(calls: readonly LoggedCall[], filter: CallFilter): readonly LoggedCall[] {
  if (!isFiltered(filter)) return calls;
  const words = filter.text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return calls.filter((call) => fits(call, filter) && (words.length === 0 || containsAll(call, words)));
}

const fits = (call: LoggedCall, { outcome, method, keyId, workflowId }: CallFilter): boolean =>
  (outcome === undefined || outcomeOf(call) === outcome) &&
  (method === undefined || call.method === method) &&
  (keyId === undefined || call.key?.id === keyId) &&
  (workflowId === undefined || call.workflowId === workflowId);

function containsAll(call: LoggedCall, words: readonly string[]): boolean {
  const { method, path, key, status, client, refusal, runId } = call;
  const shown =
    `${method} ${path} ${key?.name ?? ''} ${key?.last4 ?? ''} ${status} ${client} ${refusal?.message ?? ''} ${refusal?.limit ?? ''} ${runId ?? ''}`.toLowerCase();
  return words.every((word) => shown.includes(word));
}

/** The list while the user looks at it: calls newer than number `frozenAt` wait. */
export function freezeCalls(
  frozenAt: number | undefined,
  calls: readonly LoggedCall[],
): { readonly calls: readonly LoggedCall[]; readonly waiting: number } {
  if (frozenAt === undefined) return { calls, waiting: 0 };
  const waiting = calls.findIndex(({ number }) => number <= frozenAt);
  const count = waiting < 0 ? calls.length : waiting;
  return { calls: calls.slice(count), waiting: count };
}

/** The choices of the filter: the values that occur in the calls. */
export function choicesOf(calls: readonly LoggedCall[]): Choices {
  const keys = new Map<string, string>();
  const methods = new Set<string>();
  const workflows = new Set<string>();
  const outcomes = new Map<LogOutcome, number>();
  for (const call of calls) {
    if (call.key !== undefined) keys.set(call.key.id, `${call.key.name} …${call.key.last4}`);
    if (call.workflowId !== undefined) workflows.add(call.workflowId);
    methods.add(call.method);
    const outcome = outcomeOf(call);
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }
  return { keys, methods: [...methods].sort(), workflows: [...workflows].sort(), outcomes };
}

export type Choices = {
  readonly keys: ReadonlyMap<string, string>;
  readonly methods: readonly string[];
  readonly workflows: readonly string[];
  readonly outcomes: ReadonlyMap<LogOutcome, number>;
};

/** A path in the list. The workflow is apart, so that a narrow list cuts only the rest. */
export type ShortPath = { readonly workflow: string; readonly rest: string };

/** A path without the common prefix, and with only the end of each run's id. */
export function shortPath(path: string): ShortPath {
  const [, workflow = '', below = path] = /^\/api\/v1\/workflows\/([^/?]+)(.*)$/s.exec(path) ?? [];
  const rest = below.replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{4}([0-9a-f]{8})/g, '…$1');
  return { workflow, rest };
}

const statusLabels: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Not allowed',
  409: 'Conflict',
  413: 'Too large',
  415: 'Wrong type',
  429: 'Rate limited',
};

/** How a call was answered, in words. */
export function statusLabel(call: Pick<LoggedCall, 'status' | 'isCut'>): string {
  const outcome = outcomeOf(call);
  if (outcome === 'cut') return 'Cut off';
  if (outcome === 'failed') return 'Failed';
  return outcome === 'answered' ? 'Answered' : (statusLabels[call.status] ?? 'Rejected');
}

/** False if the call was rejected before its key was checked. */
const isKeyChecked = ({ key, refusal }: LoggedCall): boolean =>
  key !== undefined || refusal?.code === 'invalid_key';

/** Short label for a call without an accepted key. */
export function noKeyLabel(call: LoggedCall): string {
  if (!isKeyChecked(call)) return 'not checked';
  if (call.keyLocation === 'nowhere') return 'no key';
  return call.keyLocation === 'header' ? 'invalid key' : 'wrong header';
}

/** The charged limit with the least room left; undefined if the call was not charged. */
export function tightestLimit({ charged }: LoggedCall): LimitUse | undefined {
  return charged.reduce<LimitUse | undefined>(
    (tightest, use) =>
      tightest === undefined || use.used / use.of > tightest.used / tightest.of ? use : tightest,
    undefined,
  );
}

const limitNames: Readonly<Record<string, string>> = {
  trigger: 'triggers of the key',
  'trigger-per-workflow': 'triggers of the workflow',
  status: 'status calls of the key',
  'status-per-run': 'status calls of the run',
  output: 'output calls of the key',
  scenario: 'the run’s scenario',
};

/** Name of a limit for the user. */
export const limitName = (limit: string): string => limitNames[limit] ?? limit;

/** True if the run's scenario answered the call in place of the server. */
export const isByScenario = ({ refusal }: Pick<LoggedCall, 'refusal'>): boolean =>
  refusal?.limit === 'scenario' || refusal?.code === 'scenario_failed';
