/** Why a call came to nothing: the server's own words, or that it could not be reached. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  /** The server's code for it; `unreachable` when no answer came, `session_ended` when neither token nor pairing is taken any more. */
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

export const unreachable = (cause: unknown) =>
  new ControlError('unreachable', 'The server does not answer. Is it still running?', { cause });

/** The server asks for an access token. */
export const tokenNeeded = () => new ControlError('token_needed', 'Sign in with an access token');

/** Error for a user of a team server. */
export const userSessionEnded = () =>
  new ControlError('session_ended', 'Your session has ended. Sign in again');

export const sessionEnded = () =>
  new ControlError('session_ended', 'This browser is signed out. Open a new link');
