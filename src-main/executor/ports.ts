// The interfaces that the executor needs from outside. Storage's classes implement them; services pass them in.
import type { Cassette } from '../domain/cassette/cassette.ts';
import type { RecordedCall } from '../domain/cassette/recording.ts';
import type { CallAuth } from '../domain/nodes/call-auth.ts';
import type { NumberedRows } from '../domain/run/row-numbers.ts';
import type { BatchResult } from '../domain/run/stored-run.ts';
import type { StandIn } from '../domain/results/trace-form.ts';
import type { MissingGrant } from '../domain/upstream/address-class.ts';
import type { StatusMatch } from '../domain/upstream/status-class.ts';
import type { SessionCookies } from './upstream/session-cookies.ts';

/** Consecutive rows as bytes: one line of JSON each, every line ended by a newline. Never parsed in this process. */
export type RowBatch = NumberedRows & {
  readonly rows: number;
  readonly bytes: Uint8Array;
  /** Values of nodes that need not run for a row: one line a row, empty for none; see `worker/row-run.ts`. */
  readonly reusedValues?: Uint8Array;
};

/** Reads a run's rows in order, starting after the last committed row. */
export interface RowReader {
  /** The next rows, at least one and within both bounds (one row may exceed `maxBytes`); undefined at the end. */
  next(maxRows: number, maxBytes: number): Promise<RowBatch | undefined>;
  close(): Promise<void>;
}

/** A call to the outside, as a node requests it. It has the name of a secret, not its value. */
export type UpstreamRequest = {
  /** Upper case. */
  readonly method: string;
  readonly url: string;
  /** In the author's order; names in lower case. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Text; absent: the request has none. */
  readonly body?: string;
  /** True if `body` is the Base64 of the bytes to send, which are not UTF-8 text. */
  readonly isBase64?: true;
  /** Credentials that the broker adds. */
  readonly auth?: CallAuth;
  /** Minimum time between the starts of two calls to the host, in ms. */
  readonly intervalMs?: number;
  /** Statuses from 400 on that the node takes for answers, not for failures. */
  readonly expect?: readonly StatusMatch[];
  /** For the whole call, redirects included, in ms. Absent: 10 s until an answer begins, 30 s until it has ended. */
  readonly timeoutMs?: number;
  /** `answer`: a redirect is the answer, and is not followed. */
  readonly redirect?: 'answer';
  /** Session of the row whose cookies the call gets and sets. */
  readonly session?: string;
  /** True if equal calls of the run are made once. */
  readonly isShared?: true;
  /** Version of a shared answer that the node could not use in its last attempt. */
  readonly refuses?: number;
};

export type UpstreamAnswer =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** Headers by their names in lower case. */
      readonly headers: readonly (readonly [name: string, value: string])[];
      /** Decoded body. */
      readonly body: Uint8Array;
      /** Final address; absent: the call was not redirected. */
      readonly url?: string;
      /** Wait that `Retry-After` requests, limited by our own maximum, in ms. */
      readonly retryAfterMs?: number;
      /** Stand-in that answered; absent: the service did. */
      readonly by?: StandIn;
      /** Only for shared calls: which answer to equal calls it is, and how long the call took that was made, in whole ms. */
      readonly shared?: {
        readonly version: number;
        readonly ms: number;
        /** Row and site whose call was answered; only for an answer from `SharedAnswers`, and never sent to a worker. */
        readonly maker?: string;
      };
    }
  /** The call was refused, did not arrive, or got an invalid answer; `message` ends a sentence about the call. */
  | {
      readonly kind: 'failed';
      readonly message: string;
      /** True if another attempt would fail too. */
      readonly isFinal?: true;
      /** Status (400 or above) of an answer whose body could not be read, or of the token endpoint. */
      readonly status?: number;
      /** True if the token endpoint failed, and the call itself was not made. */
      readonly isToken?: true;
      /** True if nothing of a request of Rowbench itself has left this machine: no connection stood. */
      readonly isNotSent?: true;
      /** True if the answer to a request of Rowbench itself has more bytes than may be read. */
      readonly isTooLarge?: true;
      /** The grant without which the address is refused. */
      readonly missingGrant?: MissingGrant;
    };

/** Makes the calls of one run's rows. */
export interface Upstream {
  /**
   * @param around.idempotencyKey the same for every attempt of the same node on the same row
   * Rejects with the signal's reason when it is aborted, otherwise only for a fault of Rowbench itself.
   */
  call(request: UpstreamRequest, around: CallContext): Promise<UpstreamAnswer>;
  /** Requests of the run that got different answers while they were recorded; absent: it records none. */
  differingRequests?(): number;
  /** Called after the last call: makes recorded answers durable. An upstream that wraps another one closes that too. */
  close?(): Promise<void>;
}

/**
 * The stored answers to the shared calls of one run. An answer is stored before a row gets it, so that all rows get the
 * same one, whichever process runs them.
 */
export interface SharedAnswers {
  /**
   * The stored answer to a call, or the right to make it. Waits while another process makes the call. Rejects with the
   * signal's reason, and for a store that fails.
   * @param key idempotency key of the call
   */
  claim(key: string, options: ClaimOptions): Promise<SharedClaim>;
  /** Stores the answer durably. False, without a change, if another process has claimed the call meanwhile. */
  keep(key: string, answer: SharedAnswer): Promise<boolean>;
  /** Gives a claim back: the call has no answer that stays. */
  release(key: string, version: number): Promise<void>;
}

type ClaimOptions = {
  /** Version of an answer that the node could not use: if it is the stored one, the call is made again. */
  readonly refused: number | undefined;
  readonly signal: AbortSignal;
};

/** An answer as it is stored. */
export type SharedAnswer = { readonly version: number; readonly bytes: Uint8Array };

export type SharedClaim =
  | ({ readonly kind: 'answered' } & SharedAnswer)
  /** The caller makes the call; its answer gets this version. */
  | { readonly kind: 'claimed'; readonly version: number }
  /** The run has as many answers as are stored. */
  | { readonly kind: 'full'; readonly maxAnswers: number };

export type CallContext = {
  /**
   * Resolves when there is room for a large answer; rejects with the signal's reason. Await it right before joining the
   * answer: until then, its blocks count in the budget of all calls.
   */
  readonly room?: (signal: AbortSignal) => Promise<void>;
  readonly idempotencyKey: string;
  readonly signal: AbortSignal;
  /** Aborted in a pause: a call that has not begun then rejects with `CallPostponed`. */
  readonly pause?: AbortSignal;
  /** Called when the call begins, after a wait for its rate limit. */
  readonly onBegin?: () => void;
  readonly origin: CallOrigin;
  /** Cookies of the request's session. */
  readonly cookies?: SessionCookies;
  /** Only for a workflow that rows share: runs it in the worker of this row. Rejects with `WorkReleased` if that ends early. */
  readonly runInWorker?: (around: CallContext) => Promise<UpstreamAnswer>;
  /** Only for such a workflow: how long the row has waited for rows that did not end it, in whole ms; part of its time limit. */
  readonly waitedMs?: number;
};

/** The place in a run from which a call comes; the same in a rerun of the same rows. */
export type CallOrigin = {
  readonly row: number;
  /** The node and the item of its `each`, as a key that tells the calls of one row apart. */
  readonly site: string;
  /** From 1. */
  readonly attempt: number;
  /** Only in a workflow that rows share: takes the place of row and site where the row must make no difference. */
  readonly shared?: {
    /** 32-bit unsigned, the same for equal calls of the workflow. */
    readonly seed: number;
    /** Site in the shared workflow. */
    readonly site: string;
  };
};

/** Called with each call that was refused because no offline answer exists, even if the row handles the error. */
export type OnUnanswered = (message: string, origin: CallOrigin) => void;

/** Records the answers to calls, also of several runs at once. */
export interface CassetteRecorder {
  /** Names of request headers, in lower case, that tell requests apart. */
  readonly matchHeaders: readonly string[];
  /** Names of response headers to record in addition to the usual ones. */
  readonly keepHeaders: readonly string[];
  /** Records an answer durably. Throws `invalid_input` if the cassette would become too large. */
  add(call: RecordedCall): Promise<void>;
  /** Requests of the run that got different answers; absent: they are not counted. */
  differingRequests?(): number;
  /** Resolves when the cassette's file has all recorded answers. */
  close(): Promise<void>;
}

/** The recorded answers to the calls of a workflow. */
export interface WorkflowCassette {
  /** Its name in messages to the user. */
  readonly label: string;
  /** Undefined if nothing was ever recorded. Throws `invalid_input` if it is damaged. */
  read(): Promise<Cassette | undefined>;
  /** Records a run: its calls replace equal requests that were recorded before. */
  record(runId: string): Promise<CassetteRecorder>;
}

/** Receives results in row order. Once `commit` resolves, they survive a power cut. */
export interface OutputSink {
  commit(result: BatchResult): Promise<void>;
}
