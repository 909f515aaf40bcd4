// Calls that widen what a workflow may do on this machine. In the desktop window the page cannot make them by itself:
// the app asks in a dialog of the system's, which no script in a page can answer.
import type { Input, Output } from './procedures.ts';

export const confirmedCalls = ['workflow.trust', 'workflow.grant', 'workflow.import'] as const;
export type ConfirmedCall = (typeof confirmedCalls)[number];

/** The result of an asked call: the procedure's own answer, or the error that it would have thrown. */
export type ConfirmedAnswer<Name extends ConfirmedCall> =
  { readonly data: Output<Name> } | { readonly code: string; readonly message: string };

export type CallAfterConfirmation = <Name extends ConfirmedCall>(
  name: Name,
  input: Input<Name>,
) => Promise<ConfirmedAnswer<Name>>;
