// Messages between the storage threads and the main thread.
import { AppError, type ErrorCode, errorText } from '../../base/app-error.ts';

/** `writer` has the only connection that changes the file. `reader` cannot write. */
type ThreadRole = 'writer' | 'reader';

export type ThreadData = {
  readonly path: string;
  readonly role: ThreadRole;
  /** True if the thread opens the file when it is told to. */
  readonly waits: boolean;
};

/** A method of the thread's store, and its arguments. */
export type ThreadCall = { readonly id: number; readonly method: string; readonly args: readonly unknown[] };

/** To the thread: calls, the request to close the file and end, or, if it waits, the request to open the file. */
export type ToThread = readonly ThreadCall[] | 'open' | 'close';

export type Failure =
  | { readonly kind: 'app'; readonly code: ErrorCode; readonly message: string }
  /** SQLite's extended result code. */
  | { readonly kind: 'sqlite'; readonly errcode: number; readonly message: string }
  | { readonly kind: 'other'; readonly message: string };

/** From the thread: `opened`, or why not; afterwards the outcomes of calls. */
export type FromThread =
  { readonly opened: true } | { readonly opened: false; readonly failure: Failure } | readonly ThreadReply[];

export type ThreadReply =
  { readonly id: number; readonly value: unknown } | { readonly id: number; readonly failure: Failure };

/** An error of SQLite itself. */
export class SqliteError extends Error {
  override readonly name = 'SqliteError';
  /** Extended result code; its lowest byte is the primary one. */
  readonly errcode: number;

  constructor(message: string, errcode: number) {
    super(message);
    this.errcode = errcode;
  }
}

export function failureOf(error: unknown): Failure {
  if (error instanceof AppError) return { kind: 'app', code: error.code, message: error.message };
  const message = errorText(error);
  const errcode =
    typeof error === 'object' && error !== null && 'errcode' in error ? error.errcode : undefined;
  return typeof errcode === 'number' ? { kind: 'sqlite', errcode, message } : { kind: 'other', message };
}

/** SQLite's result codes: https://sqlite.org/rescode.html */
const sqliteNoMemory = 7;
const sqliteFull = 13;
const sqliteIoNoMemory = 3082;

/** True if there was no room for a change. Nothing was changed. */
export const isFull = (errcode: number): boolean => (errcode & 0xff) === sqliteFull;
/** True if the system has no memory left. Nothing was changed. */
export const isOutOfMemory = (errcode: number): boolean =>
  (errcode & 0xff) === sqliteNoMemory || errcode === sqliteIoNoMemory;

export function errorOf(failure: Failure): Error {
  if (failure.kind === 'app') return new AppError(failure.code, failure.message);
  return failure.kind === 'sqlite'
    ? new SqliteError(failure.message, failure.errcode)
    : new Error(failure.message);
}

/** Memory that goes to the other thread without a copy: that of arrays which have all of it. */
export function buffersIn(messages: readonly (ThreadCall | ThreadReply)[]): ArrayBuffer[] {
  const found: ArrayBuffer[] = [];
  const collect = (value: unknown): void => {
    if (value instanceof Uint8Array) {
      if (value.buffer instanceof ArrayBuffer && value.byteLength === value.buffer.byteLength)
        found.push(value.buffer);
    } else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
  };
  messages.forEach(collect);
  return found;
}
