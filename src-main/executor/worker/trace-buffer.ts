// Collects the trace of a row while it runs: the end of each node, the lines that author code logged, and its calls.
// A later row may reuse it, and lists and maps are made when they are used, so that most rows make no garbage.
import { addCalls, noCalls, type CallCounts } from '../../domain/results/call-counts.ts';
import { addTokens, noTokens, type Tokens } from '../../domain/results/tokens.ts';
import { maxLogBytes, type LogLevel, type StandIn } from '../../domain/results/trace-form.ts';
import type { UpstreamRequest } from '../ports.ts';
import type { CallAnswered } from '../protocol.ts';
import { formatLogged } from './format-logged.ts';

/** Codes of the ends of a node, as traces store them. */
export const nodeEndCodes = {
  done: 0,
  failed: 1,
  skipped: 2,
  replaced: 3,
  notReached: 4,
  reused: 5,
} as const;
export type NodeEndCode = (typeof nodeEndCodes)[keyof typeof nodeEndCodes];

/** The end of a node; the runner updates it. An object, since writing to an array is ten times slower in a hardened realm. */
export type NodeOutcome = {
  end: NodeEndCode;
  /** Whole microseconds: the engine allocates each number with a fraction. */
  micros: number;
  /** Attempts over all items. */
  attempts: number;
  /** 0 for a node without `each`, else the number of items plus 1. */
  items: number;
  /** Items, or calls of `repeat`, whose value `onError` gave. */
  replacedItems: number;
  /** Calls of a node with `repeat`, over all items; 0 for any other node. */
  calls: number;
};

/** A call to the outside that has ended. */
type TracedCall = {
  readonly place: number;
  /** Index of the item, from 0; only for nodes with `each`. */
  readonly item?: number;
  /** Number of the call, from 1; only for nodes with `repeat`. */
  readonly round?: number;
  readonly method: string;
  readonly url: string;
  readonly status?: number;
  readonly problem?: string;
  readonly by?: StandIn;
  readonly micros: number;
  /** Wait for the rate limit before the call began; absent without a wait. */
  readonly waitedMs?: number;
};

const longestUrl = 500;
const longestProblem = 300;

/** The trace of a call. It has no secret: the main process adds secrets to the request later. */
export const tracedCall = (
  {
    nodeIndex,
    item,
    round,
  }: { readonly nodeIndex: number; readonly item: number | undefined; readonly round: number },
  { method, url }: UpstreamRequest,
  { answer, ms, waitedMs }: CallAnswered,
): TracedCall => ({
  place: nodeIndex,
  ...(item === undefined ? {} : { item }),
  ...(round === 0 ? {} : { round }),
  method,
  url: url.slice(0, longestUrl),
  ...(answer.kind === 'answered'
    ? { status: answer.status, ...(answer.by === undefined ? {} : { by: answer.by }) }
    : { problem: answer.message.slice(0, longestProblem) }),
  micros: Math.round(ms * 1000),
  ...(waitedMs === undefined ? {} : { waitedMs }),
});

/** Maximum calls in a trace; the count of attempts includes the others. */
const maxCalls = 50;

/** Maximum errors in a trace in place of which `onError` gave a value. */
const maxReplacedErrors = 20;

type LoggedLine = readonly [place: number, level: LogLevel, text: string];

type ReplacedError = readonly [nodeIndex: number, message: string, itemIndex?: number];

const none: readonly never[] = [];

export class TraceBuffer {
  /** Indexed by node, in the order of the plan. */
  readonly nodes: readonly NodeOutcome[];
  #logs: OrderedEntries<LoggedLine> | undefined;
  #logBytesLeft = maxLogBytes;
  #calls: OrderedEntries<TracedCall> | undefined;
  #replacedErrors: OrderedEntries<ReplacedError> | undefined;
  #tokens: Map<number, Tokens> | undefined;
  #callCounts: Map<number, CallCounts> | undefined;
  #keepsLogs = true;

  constructor(nodes: number) {
    this.nodes = Array.from({ length: nodes }, (): NodeOutcome => ({
      end: nodeEndCodes.notReached,
      micros: 0,
      attempts: 0,
      items: 0,
      replacedItems: 0,
      calls: 0,
    }));
  }

  /** Makes it the buffer of a row that begins. */
  begin(keepsLogs: boolean): void {
    const { nodes } = this;
    for (let nodeIndex = 0; nodeIndex < nodes.length; nodeIndex += 1) {
      const node = nodes[nodeIndex];
      if (node !== undefined) forget(node);
    }
    this.#keepsLogs = keepsLogs;
    this.#logs = undefined;
    this.#logBytesLeft = maxLogBytes;
    this.#calls = undefined;
    this.#replacedErrors = undefined;
    this.#tokens = undefined;
    this.#callCounts = undefined;
  }

  get logs(): readonly LoggedLine[] {
    return this.#logs?.values ?? none;
  }

  get logsCut(): boolean {
    return this.#logBytesLeft === 0;
  }

  /** Adds a line that author code logs; the position begins with the node. Never throws, whatever the values are. */
  addLog(position: TracePosition, level: LogLevel, values: readonly unknown[]): void {
    if (!this.#keepsLogs || this.#logBytesLeft === 0) return;
    const text = formatLogged(values);
    // The JSON around the text counts too, so that empty lines are limited.
    const bytes = Buffer.byteLength(JSON.stringify(text)) + 20;
    if (bytes > this.#logBytesLeft) {
      this.#logBytesLeft = 0;
      return;
    }
    this.#logBytesLeft -= bytes;
    (this.#logs ??= new OrderedEntries()).add(position, [position[0] ?? 0, level, text]);
  }

  /** By the place of the node; undefined: none. */
  get tokens(): ReadonlyMap<number, Tokens> | undefined {
    return this.#tokens;
  }

  addTokens(nodeIndex: number, tokens: Tokens): void {
    this.#tokens ??= new Map();
    this.#tokens.set(nodeIndex, addTokens(this.#tokens.get(nodeIndex) ?? noTokens, tokens));
  }

  /** By the place of the node; undefined: none. */
  get callCounts(): ReadonlyMap<number, CallCounts> | undefined {
    return this.#callCounts;
  }

  /** The errors in place of which `onError` gave a value: the node, the message, and the index of the item. */
  get replacedErrors(): readonly ReplacedError[] {
    return this.#replacedErrors?.values ?? none;
  }

  /** Records that `onError` gave the value of a node, or of one of its items. */
  addReplaced(nodeIndex: number, message: string, itemIndex: number | undefined): void {
    const note = this.nodes[nodeIndex];
    if (note !== undefined && (itemIndex !== undefined || note.calls > 0)) note.replacedItems += 1;
    const error: ReplacedError =
      itemIndex === undefined ? [nodeIndex, message] : [nodeIndex, message, itemIndex];
    this.#replacedErrors ??= new OrderedEntries(maxReplacedErrors);
    this.#replacedErrors.add([nodeIndex, itemIndex ?? -1], error);
  }

  get calls(): readonly TracedCall[] {
    return this.#calls?.values ?? none;
  }

  addCall(position: TracePosition, call: TracedCall): void {
    (this.#calls ??= new OrderedEntries(maxCalls)).add(position, call);
    if (call.status === undefined || call.by === 'scenario') return;
    this.#callCounts ??= new Map();
    this.#callCounts.set(
      call.place,
      addCalls(this.#callCounts.get(call.place) ?? noCalls, countsBy[call.by ?? 'service']),
    );
  }
}

const countsBy: Readonly<Record<'service' | Exclude<StandIn, 'scenario'>, CallCounts>> = {
  service: { answered: 1, played: 0 },
  cassette: { answered: 0, played: 1 },
  share: { answered: 0, played: 0, shared: 1 },
};

function forget(node: NodeOutcome): void {
  node.end = nodeEndCodes.notReached;
  node.micros = 0;
  node.attempts = 0;
  node.items = 0;
  node.replacedItems = 0;
  node.calls = 0;
}

/** A position in a row, as numbers to compare one by one. */
type TracePosition = readonly number[];

type Entry<T> = { readonly position: TracePosition; readonly value: T };

/** The first entries of a list that is ordered by position, whatever the order in which they are added. */
export class OrderedEntries<T> {
  readonly #entries: Entry<T>[] = [];
  readonly #max: number;

  /** @param max entries that are retained */
  constructor(max = Infinity) {
    this.#max = max;
  }

  get values(): readonly T[] {
    return this.#entries.map(({ value }) => value);
  }

  /** Adds an entry behind those of the same position. */
  add(position: TracePosition, value: T): void {
    let at = this.#entries.length;
    while (at > 0 && isBefore(position, this.#entries[at - 1]?.position ?? [])) at -= 1;
    if (at >= this.#max) return;
    this.#entries.splice(at, 0, { position, value });
    if (this.#entries.length > this.#max) this.#entries.pop();
  }
}

function isBefore(one: TracePosition, other: TracePosition): boolean {
  const at = one.findIndex((number, index) => number !== other[index]);
  if (at < 0) return one.length < other.length;
  return (one[at] ?? 0) < (other[at] ?? -1);
}
