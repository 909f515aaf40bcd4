// Filter, order and labels of the calls in the API log. Pure functions, so that tests need no page.
import type { LimitUse, LoggedCall } from '#contract';

/** How a call went, as the filter and the colours tell it. */
export const callOutcomes = ['answered', 'limited', 'refused', 'failed', 'cut'] as const;
export type CallOutcome = (typeof callOutcomes)[number];

export type CallFilter = {
  readonly outcome?: CallOutcome;
  readonly method?: string;
  readonly keyId?: string;
  readonly workflowId?: string;
  readonly text: string;
};

export const allCalls: CallFilter = { text: '' };

const isFiltered = ({ outcome, method, keyId, workflowId, text }: CallFilter): boolean =>
  text !== '' || [outcome, method, keyId, workflowId].some((part) => part !== undefined);

export function outcomeOf({ status, isCut }: Pick<LoggedCall, 'status' | 'isCut'>): CallOutcome {
  if (status === 0 || isCut === true) return 'cut';
  if (status === 429) return 'limited';
  if (status >= 500) return 'failed';
  return status >= 400 ? 'refused' : 'answered';
}

/** Known calls with newer ones before them, without those that are not kept any more. Newest first. */
export function addNewerCalls(
  known: readonly LoggedCall[],
  newer: readonly LoggedCall[],
  oldest: number,
): readonly LoggedCall[] {
  const first = known[0]?.number ?? 0;
  const calls = [...newer.filter(({ number }) => number > first), ...known];
  // From the end, since only there they are too old.
  let end = calls.length;
  while (end > 0 && (calls[end - 1]?.number ?? oldest) < oldest) end -= 1;
  return end === calls.length ? calls : calls.slice(0, end);
}

/** Known calls with older ones behind them. */
export function addOlderCalls(
  known: readonly LoggedCall[],
  older: readonly LoggedCall[],
): readonly LoggedCall[] {
  const last = known.at(-1)?.number ?? Infinity;
  return [...known, ...older.filter(({ number }) => number < last)];
}

/** Every word must be found somewhere in what a row or its panel says. */
export function filterCalls(calls: readonly LoggedCall[], filter: CallFilter): readonly LoggedCall[] {
  if (!isFiltered(filter)) return calls;
  const words = filter.text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return calls.filter((call) => fits(call, filter) && (words.length === 0 || holds(call, words)));
}

const fits = (call: LoggedCall, { outcome, method, keyId, workflowId }: CallFilter): boolean =>
  (outcome === undefined || outcomeOf(call) === outcome) &&
  (method === undefined || call.method === method) &&
  (keyId === undefined || call.key?.id === keyId) &&
  (workflowId === undefined || call.workflowId === workflowId);

function holds(call: LoggedCall, words: readonly string[]): boolean {
  const { method, path, key, status, client, refusal, runId } = call;
  const shown =
    `${method} ${path} ${key?.name ?? ''} ${key?.last4 ?? ''} ${status} ${client} ${refusal?.message ?? ''} ${refusal?.limit ?? ''} ${runId ?? ''}`.toLowerCase();
  return words.every((word) => shown.includes(word));
}

/** The list while the user looks at a part of it: calls newer than number `held` wait. */
export function holdCalls(
  held: number | undefined,
  calls: readonly LoggedCall[],
): { readonly calls: readonly LoggedCall[]; readonly waiting: number } {
  if (held === undefined) return { calls, waiting: 0 };
  const waiting = calls.findIndex(({ number }) => number <= held);
  const count = waiting < 0 ? calls.length : waiting;
  return { calls: calls.slice(count), waiting: count };
}

/** The choices of the filter: the values that occur in the calls. */
export function choicesOf(calls: readonly LoggedCall[]): Choices {
  const keys = new Map<string, string>();
  const methods = new Set<string>();
  const workflows = new Set<string>();
  const outcomes = new Map<CallOutcome, number>();
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
  readonly outcomes: ReadonlyMap<CallOutcome, number>;
};

/** An address without what they all begin with, and with each run's id down to its end. */
export const shortPath = (path: string): string =>
  path
    .replace(/^\/api\/v1\/workflows\//, '')
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{4}([0-9a-f]{8})/g, '…$1');

/** Whether its key was looked at: a call that is turned away before that is no word on its key. */
const isKeyJudged = ({ key, refusal }: LoggedCall): boolean =>
  key !== undefined || refusal?.code === 'invalid_key';

/** Short label for a call without an accepted key. */
export function noKeyWords(call: LoggedCall): string {
  if (!isKeyJudged(call)) return 'not looked at';
  if (call.keyPlace === 'nowhere') return 'no key';
  return call.keyPlace === 'header' ? 'unknown key' : 'wrong header';
}

/** The limit that the call came nearest to; undefined: none was charged. */
export function tightestLimit({ charged }: LoggedCall): LimitUse | undefined {
  return charged.reduce<LimitUse | undefined>(
    (most, use) => (most === undefined || use.used / use.of > most.used / most.of ? use : most),
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

/** A limit in words. */
export const limitName = (limit: string): string => limitNames[limit] ?? limit;
