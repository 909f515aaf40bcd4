// The last calls to the public API, in memory only, for a user who develops a client. Who calls: the HTTP layer adds
// each call once it is answered; the control API reads.
// INVARIANT: never more than `maxCalls` calls or `maxBytes` bytes; the oldest go first.
import { Emitter } from '../../base/emitter.ts';
import type { Log } from '../../base/log.ts';
import type { CallContent, LoggedCall, LoggedHeaders } from '../../domain/api-log/logged-call.ts';

export const maxCalls = 2_000;
export const maxBytes = 8_000_000;

/** A call before the log has numbered it. */
export type NewCall = Omit<LoggedCall, 'number'>;

type Entry = {
  readonly call: LoggedCall;
  readonly content: CallContent;
  /** Approximate bytes held in memory. */
  readonly bytes: number;
};

export type CallRange = {
  /** Only calls with greater numbers. */
  readonly after?: number | undefined;
  /** Only calls with smaller numbers. */
  readonly before?: number | undefined;
  readonly limit: number;
};

export class CallLog {
  /** A call was noted: its number. */
  readonly events: Emitter<number>;
  /** By number: each has the place of the one that was `maxCalls` before it. */
  readonly #entries: (Entry | undefined)[] = Array.from({ length: maxCalls }, () => undefined);
  #oldest = 1;
  #newest = 0;
  #bytes = 0;

  constructor({ log }: { readonly log: Log }) {
    this.events = new Emitter((error) => log.error({ error }, 'a listener to calls failed'));
  }

  /** The number of the last call; 0: there was none yet. */
  get newest(): number {
    return this.#newest;
  }

  /** The number of the first call that is still kept. */
  get oldest(): number {
    return this.#oldest;
  }

  /** Approximate bytes held by all entries. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Adds a call and returns its number. */
  add(newCall: NewCall, content: CallContent): number {
    const number = this.#newest + 1;
    const entry = { call: { ...newCall, number }, content, bytes: bytesOf(newCall, content) };
    if (number - this.#oldest >= maxCalls) this.#dropOldest();
    this.#newest = number;
    this.#entries[number % maxCalls] = entry;
    this.#bytes += entry.bytes;
    while (this.#bytes > maxBytes && this.#oldest < number) this.#dropOldest();
    this.events.emit(number);
    return number;
  }

  /** Newest first. Beyond the limit: only the newest ones, or with `after` the next ones after it. */
  list({ after = 0, before = Infinity, limit }: CallRange): readonly LoggedCall[] {
    const first = Math.max(this.#oldest, after + 1);
    const last = Math.min(this.#newest, before - 1);
    const from = after > 0 ? first : Math.max(first, last - limit + 1);
    return this.#range(from, Math.min(last, from + limit - 1)).reverse();
  }

  /** Oldest first, all that are kept. */
  all(): readonly LoggedCall[] {
    return this.#range(this.#oldest, this.#newest);
  }

  /** Undefined for a call that is not kept any more. */
  find(number: number): { readonly call: LoggedCall; readonly content: CallContent } | undefined {
    return this.#at(number);
  }

  #range(from: number, to: number): LoggedCall[] {
    const calls: LoggedCall[] = [];
    for (let number = from; number <= to; number += 1) {
      const call = this.#at(number)?.call;
      if (call !== undefined) calls.push(call);
    }
    return calls;
  }

  #at(number: number): Entry | undefined {
    return number < this.#oldest || number > this.#newest ? undefined : this.#entries[number % maxCalls];
  }

  #dropOldest(): void {
    const slot = this.#oldest % maxCalls;
    this.#bytes -= this.#entries[slot]?.bytes ?? 0;
    this.#entries[slot] = undefined;
    this.#oldest += 1;
  }
}

/** Estimated bytes of a call without its texts and headers. */
const baseBytes = 600;

function bytesOf({ path, refusal }: NewCall, content: CallContent): number {
  const { requestHeaders, answerHeaders, sent, answer } = content;
  const texts = path.length + (refusal?.message.length ?? 0) + sent.text.length + answer.text.length;
  return baseBytes + 2 * texts + headerBytes(requestHeaders) + headerBytes(answerHeaders);
}

const headerBytes = (headers: LoggedHeaders): number =>
  headers.reduce((sum, [name, value]) => sum + 2 * (name.length + value.length) + 64, 0);
