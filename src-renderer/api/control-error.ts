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

export const sessionEnded = () =>
  new ControlError('session_ended', 'This browser is signed out. Run "rowbench open" for a new link');
