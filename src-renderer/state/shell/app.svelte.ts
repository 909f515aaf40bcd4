// The state that all screens share: the session, the router, row editors, and messages to the user.
import { createContext, untrack } from 'svelte';
import type { BulkResult, CreatedToken, Role, RunView } from '#contract';
import type { RowDraft } from '../entry/row-draft.svelte.ts';
import type { OriginalRun } from '../entry/row-editor.svelte.ts';
import type { LiveState } from '../live/live-state.ts';
import type { Command, OfferedVerb } from './rank-commands.ts';
import type { Router } from './router.svelte.ts';
import type { NewKeys } from '../keys/new-keys.svelte.ts';
import { fitFor, verbMessage, type RunVerb } from '../run/run-verbs.ts';
import type { Session } from '../live/session.svelte.ts';
import { SettingChanges } from '../settings/setting-changes.ts';
import type { ThemeChoice } from './theme.svelte.ts';
import type { Toasts } from '../toasts.svelte.ts';
import type { UnsavedSecrets } from './unsaved-secrets.svelte.ts';

type AppDeps = {
  readonly session: Session;
  /** Opens a new session with a pasted link. Rejects if the link is invalid or used. */
  readonly openLink: (pasted: string) => Promise<void>;
  readonly router: Router;
  readonly toasts: Toasts;
  readonly theme: ThemeChoice;
  readonly rowDrafts: Map<string, RowDraft>;
  readonly newKeys: NewKeys;
  readonly newTokens: UnsavedSecrets<CreatedToken>;
};

type DroppedFiles =
  | { readonly kind: 'workflow'; readonly files: readonly File[] }
  | { readonly kind: 'rows'; readonly file: File };

export class App {
  readonly session: Session;
  readonly openLink: AppDeps['openLink'];
  readonly router: Router;
  readonly toasts: Toasts;
  readonly theme: ThemeChoice;
  /** Row editors by workflow id. */
  readonly rowDrafts: Map<string, RowDraft>;
  readonly newKeys: NewKeys;
  readonly newTokens: UnsavedSecrets<CreatedToken>;
  /** The dialog of the shell that is open. */
  overlay = $state<'palette' | 'new-run' | 'help' | undefined>();
  /** Files that the user dropped on a screen, until the screen that they are for takes them. */
  droppedFiles = $state.raw<DroppedFiles | undefined>();
  /** Rows of a run that the user wants to edit, until row entry takes them. */
  rowsToEdit: { readonly workflowId: string; readonly origin: OriginalRun } | undefined;
  /** Unsaved text of settings, by field: a user who visits another screen finds the text again. */
  readonly unsavedSettings: Record<string, string | undefined> = {};
  readonly settingChanges: SettingChanges;
  /** Secrets that this window has stored: what lacked one looks again. */
  secretsStored = $state(0);
  /** Commands of the visible screen, for the palette. */
  #offers = $state.raw<readonly (readonly Command[])[]>([]);

  constructor({ session, openLink, router, toasts, theme, rowDrafts, newKeys, newTokens }: AppDeps) {
    this.session = session;
    this.openLink = openLink;
    this.router = router;
    this.toasts = toasts;
    this.theme = theme;
    this.rowDrafts = rowDrafts;
    this.newKeys = newKeys;
    this.newTokens = newTokens;
    this.settingChanges = new SettingChanges(this);
  }

  get live(): LiveState | undefined {
    return this.session.live;
  }

  async storeSecret(secret: { name: string; hosts: string[]; value: string }): Promise<void> {
    await this.session.call('secret.set', secret);
    this.toasts.done(`${secret.name} is stored`);
    this.secretsStored += 1;
  }

  /** Why the user may not do what takes the role, for a disabled control; undefined: they may. */
  refusal(required: Role): string | undefined {
    return this.session.refusal(required);
  }

  /** Why the user may change no workflow file; undefined: they may. */
  get fileRefusal(): string | undefined {
    const reason = this.live?.server.readOnly;
    return reason === undefined ? this.refusal('admin') : `Not possible here: ${reason}`;
  }

  /** Name of a workflow; its id if its file is gone. */
  nameOf(workflowId: string): string {
    return this.live?.workflows.find(({ id }) => id === workflowId)?.name ?? workflowId;
  }

  get screenCommands(): readonly Command[] {
    return this.#offers.flat();
  }

  /** The selected rows that row entry shows next, once. */
  takeRowsToEdit(workflowId: string): OriginalRun | undefined {
    const selected = this.rowsToEdit;
    this.rowsToEdit = undefined;
    return selected?.workflowId === workflowId ? selected.origin : undefined;
  }

  /** Adds commands to the palette until the returned function is called; for an effect of a screen. */
  offer(commands: readonly Command[]): () => void {
    const others = (): readonly (readonly Command[])[] => this.#offers.filter((offer) => offer !== commands);
    this.#offers = [commands, ...untrack(others)];
    return () => {
      this.#offers = untrack(others);
    };
  }

  /** Offers verbs in a section of the palette, as `offer` does. Those that are unavailable are left out. */
  offerVerbs(section: string, verbs: readonly OfferedVerb[]): () => void {
    const available = verbs.filter(({ isDisabled }) => isDisabled !== true);
    return this.offer(available.map((verb) => ({ ...verb, section, id: `${section}: ${verb.id}` })));
  }

  /** Applies the action to the runs that allow it, and shows a message. Resolves to the result of each run. */
  async doToRuns(verb: RunVerb, runs: readonly RunView[]): Promise<readonly BulkResult[]> {
    const runIds = fitFor(verb, runs).map(({ runId }) => runId);
    const results: BulkResult[] = [];
    try {
      const [runId, ...others] = runIds;
      if (verb === 'pin' || verb === 'unpin') results.push(...(await this.#pin(runIds, verb === 'pin')));
      else if (runId !== undefined && others.length === 0) results.push(await this.#doToRun(verb, runId));
      else results.push(...(await this.#doToMany(verb, runIds)));
    } catch (error) {
      this.toasts.problem(error);
    }
    const moved = results.filter(({ outcome }) => outcome === 'moved').length;
    const reason = results.find(({ outcome }) => outcome === 'refused')?.reason;
    const [run, ...others] = runs;
    const workflow = run === undefined || others.length > 0 ? undefined : this.nameOf(run.workflowId);
    if (moved > 0) this.toasts.done(verbMessage(verb, moved, workflow));
    if (reason !== undefined) this.toasts.problem(reason);
    return results;
  }

  /** Throws the reason if the server refuses. */
  async #doToRun(verb: BulkVerb, runId: string): Promise<BulkResult> {
    const { call } = this.session;
    const order = bulkOf[verb];
    if (order.verb !== 'rerun') {
      const { status } = await call(`run.${order.verb}`, { runId });
      return { runId, outcome: 'moved', status };
    }
    const { runId: newRunId } = await call('run.rerun', { runId, rows: order.rows });
    return { runId, outcome: 'moved', newRunId };
  }

  async #pin(runIds: readonly string[], isPinned: boolean): Promise<readonly BulkResult[]> {
    const results: BulkResult[] = [];
    for (const runId of runIds) {
      const { status } = await this.session.call('run.label', { runId, changes: { isPinned } });
      results.push({ runId, outcome: 'moved', status });
    }
    return results;
  }

  async #doToMany(verb: BulkVerb, runIds: readonly string[]): Promise<readonly BulkResult[]> {
    const results: BulkResult[] = [];
    for (let start = 0; start < runIds.length; start += runsAtOnce) {
      const filter = { runIds: runIds.slice(start, start + runsAtOnce) };
      const order = { ...bulkOf[verb], filter, limit: runsAtOnce };
      results.push(...(await this.session.call('run.bulk', order)).results);
    }
    return results;
  }
}

/** The actions that `run.bulk` applies. */
type BulkVerb = keyof typeof bulkOf;

/** Maximum runs per `run.bulk` call. */
const runsAtOnce = 1_000;

const bulkOf = {
  pause: { verb: 'pause' },
  resume: { verb: 'resume' },
  cancel: { verb: 'cancel' },
  rerun: { verb: 'rerun', rows: 'all' },
  'rerun-failed': { verb: 'rerun', rows: 'failed' },
} as const;

export const [getApp, setApp] = createContext<App>();
