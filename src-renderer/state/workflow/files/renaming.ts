// Renames of a node or a field in all files of a workflow that are edited.
import type { FieldRenameView, NodeRenameView } from '#contract';
import type { Session } from '../../live/session.svelte.ts';
import type { EditorSession } from './editor-session.svelte.ts';

export type RenameTarget =
  | { readonly kind: 'node'; readonly name: string }
  /** A field of the rows, or of the outputs. */
  | { readonly kind: 'field'; readonly of: 'input' | 'output'; readonly name: string };

/** Changes of a rename, or why there are none. */
export type RenamePlan = NodeRenameView | FieldRenameView;

/** Another workflow's file with the new name of a field. */
export type CallerFile = Exclude<FieldRenameView, { refusal: object }>['callerFiles'][number];

export type RenamingDeps = {
  readonly call: Session['call'];
  readonly session: EditorSession;
  /** The name was changed. */
  readonly onrenamed?: (newName: string) => void;
};

export class Renaming {
  readonly target: RenameTarget;
  /** The name that the user has typed. */
  readonly newName: string | undefined;
  readonly #deps: RenamingDeps;

  constructor(deps: RenamingDeps, target: RenameTarget, newName?: string) {
    this.#deps = deps;
    this.target = target;
    this.newName = newName;
  }

  textOf(fileName: string): string {
    return this.#deps.session.textOf(fileName);
  }

  /** The changes in all files; undefined if a text changes meanwhile. */
  plan(newName: string): Promise<RenamePlan | undefined> {
    const { session } = this.#deps;
    if (this.target.kind === 'node')
      return session.ask('renameNode', { id: this.target.name, newId: newName });
    const { of, name } = this.target;
    return session.ask('renameField', { of, name, newName });
  }

  /** Saves another workflow's file with the new name. Throws an error with a message for the user. */
  async saveCaller({ workflowId, ...file }: CallerFile): Promise<void> {
    const saved = await this.#deps.call('author.save', { workflowId, files: [file] });
    if (saved.kind !== 'saved')
      throw new Error(`${file.name} was changed meanwhile: change it in its editor.`);
  }

  /** Makes the changes in one step of undo; resolves to why the name was not changed. */
  async write(newName: string): Promise<string | undefined> {
    const label = `Rename ${this.target.name} to ${newName}`;
    const refusal = await this.#deps.session.applyPlan(() => this.plan(newName), label);
    if (refusal === undefined) this.#deps.onrenamed?.(newName);
    return refusal?.reason;
  }
}
