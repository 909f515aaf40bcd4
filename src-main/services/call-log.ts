// The last calls to the public API, in memory alone: what a person looks at while a client is written. Who calls: the
// HTTP layer notes each call once it was answered, the control API reads.
// INVARIANT: never more than `mostCalls` calls or `mostBytes` bytes; the oldest go first.
import { Emitter } from '../base/emitter.ts';
import type { Log } from '../base/log.ts';
import type { CallContent, LoggedCall, LoggedHeaders } from '../domain/api-log/logged-call.ts';

export const mostCalls = 2_000;
export const mostBytes = 8_000_000;

type Entry = { readonly call: LoggedCall; readonly content: CallContent; readonly bytes: number };

export type CallRange = {
  /** Only calls with greater numbers. */
  readonly after?: number | undefined;
  /** Only calls with smaller numbers. */
  readonly before?: number | undefined;
  readonly limit: number;
};

export class CallLog {
  /** A call was noted. */
  readonly facts: Emitter<LoggedCall>;
  /** In the order of their numbers, which have no gaps. */
  readonly #entries = new Map<number, Entry>();
  #newest = 0;
  #bytes = 0;

  constructor({ log }: { readonly log: Log }) {
    this.facts = new Emitter((error) => log.error({ error }, 'a listener to calls failed'));
  }

  /** The number of the last call; 0: there was none yet. */
  get newest(): number {
    return this.#newest;
  }

  /** The number of the first call that is still kept. */
  get oldest(): number {
    return this.#newest - this.#entries.size + 1;
  }

  /** What is held, about. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Notes a call and gives it its number. */
  add(noted: Omit<LoggedCall, 'number'>, content: CallContent): LoggedCall {
    const call: LoggedCall = { ...noted, number: this.#newest + 1 };
    const bytes = sizeOf(call, content);
    this.#newest = call.number;
    this.#entries.set(call.number, { call, content, bytes });
    this.#bytes += bytes;
    while (this.#entries.size > mostCalls || (this.#bytes > mostBytes && this.#entries.size > 1)) {
      this.#dropOldest();
    }
    this.facts.emit(call);
    return call;
  }

  /** Newest first. Where there are more than the limit: the newest, or with `after` the next ones after it. */
  list({ after = 0, before = Infinity, limit }: CallRange): readonly LoggedCall[] {
    const first = Math.max(this.oldest, after + 1);
    const last = Math.min(this.#newest, before - 1);
    const from = after > 0 ? first : Math.max(first, last - limit + 1);
    const calls: LoggedCall[] = [];
    for (let number = Math.min(last, from + limit - 1); number >= from; number -= 1) {
      const entry = this.#entries.get(number);
      if (entry !== undefined) calls.push(entry.call);
    }
    return calls;
  }

  /** Oldest first, all that are kept. */
  all(): readonly LoggedCall[] {
    return Array.from(this.#entries.values(), ({ call }) => call);
  }

  /** Undefined for a call that is not kept any more. */
  find(number: number): { readonly call: LoggedCall; readonly content: CallContent } | undefined {
    return this.#entries.get(number);
  }

  #dropOldest(): void {
    // Not by the map's own order: behind it lie the places of all that were dropped before.
    const { oldest } = this;
    this.#bytes -= this.#entries.get(oldest)?.bytes ?? 0;
    this.#entries.delete(oldest);
  }
}

/** Of a call's facts beside its texts. */
const factBytes = 600;

const sizeOf = ({ path, client, refusal }: LoggedCall, content: CallContent): number =>
  factBytes +
  2 * (path.length + client.length + (refusal?.message.length ?? 0)) +
  2 * (content.sent.text.length + content.answer.text.length) +
  headerBytes(content.requestHeaders) +
  headerBytes(content.answerHeaders);

const headerBytes = (headers: LoggedHeaders): number =>
  headers.reduce((sum, [name, value]) => sum + 2 * (name.length + value.length) + 64, 0);
