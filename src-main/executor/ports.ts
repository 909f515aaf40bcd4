// The interfaces that the executor needs from outside. Storage's classes implement them; services pass them in.
import type { RecordedCall } from '../domain/cassette/recording.ts';
import type { NodeStatistics } from '../domain/run/node-statistics.ts';
import type { RowFailure } from '../domain/run/row-failure.ts';
import type { NumberedRows } from '../domain/run/row-numbers.ts';

/** Consecutive rows as bytes: one line of JSON each, every line ended by a newline. Never parsed in this process. */
export type RowBatch = NumberedRows & {
  readonly rows: number;
  readonly bytes: Uint8Array;
  /** Values of nodes that need not run for a row: one line a row, empty for none; see `worker/reused-values.ts`. */
  readonly reusedValues?: Uint8Array;
};

/** Hands out a run's rows in order, from the row after the last committed one. */
export interface RowReader {
  /** The next rows, at least one and within both bounds (one row may exceed `maxBytes`); undefined at the end. */
  next(maxRows: number, maxBytes: number): Promise<RowBatch | undefined>;
  close(): Promise<void>;
}

/** The results of consecutive rows. */
export type BatchResult = {
  readonly rows: number;
  /** One line a row, each ended by a newline; an empty line for a row that has no output. */
  readonly outputs: Uint8Array;
  /** `rowStateBytes` a row. */
  readonly states: Uint8Array;
  readonly failures: readonly RowFailure[];
  /** Lines in row order, each ended by a newline: one for every failed row, and for others whose trace is kept. */
  readonly trace: Uint8Array;
  readonly nodes: readonly NodeStatistics[];
};

/** A call to the outside, as a node asks for it. Of a secret it has the name alone. */
export type UpstreamRequest = {
  /** Upper case. */
  readonly method: string;
  readonly url: string;
  /** In the author's order; names in lower case. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Text; absent: the request has none. */
  readonly body?: string;
  /** The secret to send along, and the header that carries it. */
  readonly auth?: { readonly secret: string; readonly header: string };
  /** For the whole call, redirects included, in ms. Absent: 10 s until an answer begins, 30 s until it has ended. */
  readonly timeoutMs?: number;
};

export type UpstreamAnswer =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** Names in lower case, each once. */
      readonly headers: readonly (readonly [name: string, value: string])[];
      /** Decoded from whatever encoding it was sent in. */
      readonly body: Uint8Array;
      /** Wait that `Retry-After` asked for, capped by our own bounds, in ms. */
      readonly retryAfterMs?: number;
    }
  /** Refused, not reached, or not believable: why, in words that end a sentence about the call. */
  | {
      readonly kind: 'failed';
      readonly message: string;
      /** Another attempt would come to the same. */
      readonly isFinal?: true;
      /** From 400 on: the status of an answer whose body could not be read. */
      readonly status?: number;
    };

/** Makes the calls of one run's rows. */
export interface Upstream {
  /**
   * @param around.idempotencyKey the same for every attempt of the same node on the same row
   * Rejects with the signal's reason when it is aborted, otherwise only for a fault of Rowbench itself.
   */
  call(request: UpstreamRequest, around: CallContext): Promise<UpstreamAnswer>;
  /** Called once no call will come any more: makes durable what was kept. One that wraps another passes it on. */
  close?(): Promise<void>;
}

export type CallContext = {
  /**
   * Resolves when there is room for a large answer, and rejects with the signal's reason. To be waited for right before
   * one is put together: what comes earlier waits in the budget of all calls.
   */
  readonly room?: (signal: AbortSignal) => Promise<void>;
  readonly idempotencyKey: string;
  readonly signal: AbortSignal;
  readonly origin: CallOrigin;
};

/** Where in a run a call comes from; the same in a rerun of the same rows. */
export type CallOrigin = {
  readonly row: number;
  /** The node, and the item of its `each`: what calls of one row are told apart by. */
  readonly site: string;
  /** From 1. */
  readonly attempt: number;
};

/** Told of a call that was refused since nothing offline answers it, whatever its row makes of that. */
export type OnUnanswered = (message: string, origin: CallOrigin) => void;

/** Keeps the answers to calls, of several runs at once too. */
export interface CassetteRecorder {
  /** Names of request headers, in lower case, that tell requests apart. */
  readonly matchHeaders: readonly string[];
  /** Names of response headers to keep beside those that always are. */
  readonly keepHeaders: readonly string[];
  /** When it resolves, the answer survives a crash. Throws `invalid_input` when the cassette would grow too large. */
  add(call: RecordedCall): Promise<void>;
  /** The cassette's file holds what was added. */
  close(): Promise<void>;
}

/** Takes results in row order. When `commit` resolves they survive a power cut. */
export interface OutputSink {
  commit(result: BatchResult): Promise<void>;
}
