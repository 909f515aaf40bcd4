/** Structured log lines. Never pass a key, a row, or an output. */
export interface Log {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
}

export type LogFields = { readonly [name: string]: unknown };

/** For callers that want no log. */
export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };
