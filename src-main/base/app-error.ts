/** Codes of all errors. A new code must get an HTTP status in `http/error-response.ts` to compile. */
export type ErrorCode =
  | 'invalid_body'
  | 'body_too_large'
  | 'request_timeout'
  | 'malformed_request'
  | 'headers_too_large'
  | 'expectation_failed'
  | 'invalid_key'
  | 'guard_refused'
  | 'key_not_allowed'
  | 'role_required'
  | 'workflow_not_found'
  | 'workflow_untrusted'
  | 'workflow_invalid'
  | 'run_not_found'
  | 'run_not_completed'
  | 'move_not_allowed'
  | 'rate_limited'
  | 'route_not_found'
  | 'method_not_allowed'
  | 'key_not_found'
  | 'token_not_found'
  | 'browser_not_found'
  | 'secret_not_found'
  | 'row_set_not_found'
  | 'call_not_found'
  | 'invalid_input'
  | 'too_many_connections'
  | 'too_many_exports'
  | 'store_degraded'
  | 'out_of_resources'
  | 'disk_full'
  | 'data_folder_locked'
  | 'data_unreadable'
  | 'port_taken'
  | 'scenario_failed';

/** A fault in a text that was read: its position, from 1, and what is wrong there. */
export type TextFault = { readonly line: number; readonly column: number; readonly problem: string };

/** Optional details of an error: its cause, its position in a text, and values for HTTP headers. */
type ErrorDetail = {
  /** Whole seconds after which the same call may succeed; becomes the `Retry-After` header. */
  readonly retryAfterSeconds?: number;
  /** Which limit was hit; becomes the `x-rowbench-limit` header. */
  readonly limit?: string;
  /** Methods that the path knows; becomes the `Allow` header. */
  readonly allow?: string;
  /** The fault that the message is about, if a text has it. */
  readonly textFault?: TextFault;
  /** The encoding that a text seems to have, as the Encoding Standard names it. */
  readonly encoding?: string;
  readonly cause?: unknown;
};

/** The one error class: a code to branch on, a message for a person. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly detail: ErrorDetail;

  constructor(code: ErrorCode, message: string, detail: ErrorDetail = {}) {
    super(message, { cause: detail.cause });
    this.code = code;
    this.detail = detail;
  }
}

/** The message of a caught error, or the text of a value that is not an error. */
export const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error));
