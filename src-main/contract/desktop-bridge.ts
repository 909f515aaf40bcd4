// Additions of the desktop window for its page, beyond those of any browser. All are optional: the page works without
// them.
import type { CallAfterConfirmation } from './confirmed-calls.ts';
import type { Nothing } from './procedure.ts';

/** One channel for each purpose, and what it takes. Ids, never paths: the page decides nothing about files. */
export type DesktopCalls = {
  /** Lets the user pick a workflow file; the app then offers to import it. */
  readonly 'pick-workflow': Nothing;
  /** Shows the data folder in the system's file manager. */
  readonly 'show-data-folder': Nothing;
  /** Shows a workflow's file there. */
  readonly 'reveal-workflow': { readonly workflowId: string };
  /** Opens a workflow's file with the program that the user has for such files. */
  readonly 'edit-workflow': { readonly workflowId: string };
};
export type DesktopCall = keyof DesktopCalls;

/** As the preload puts it on the page's `window.rowbench`. */
export type DesktopBridge = {
  readonly call: <Name extends DesktopCall>(name: Name, input: DesktopCalls[Name]) => Promise<void>;
  /** Asks the user, then makes the call. */
  readonly ask: CallAfterConfirmation;
  /** The user asked for a place in the app, from a menu, a link or a notification. */
  readonly onGo: (go: (path: string) => void) => void;
};
