// The check of a workflow's files while they are edited: its graph, the issues, and where they are marked. What a tests file
// may say depends on the workflow, so all files are checked after each change.
import type { CheckedDraft } from '#contract';
import { LatestOnly } from '../../latest-only.ts';
import { typingPauseMs } from './editor-document.svelte.ts';
import type { EditorFile } from './editor-file.svelte.ts';
import { issueRanges, type IssueRange } from './issue-ranges.ts';

type WorkflowCheckDeps = {
  /** The workflow's own file first. */
  readonly files: () => readonly EditorFile[];
  /** Asks the server about the texts as they are. */
  readonly ask: () => Promise<CheckedDraft | undefined>;
};

export class WorkflowCheck {
  readonly #deps: WorkflowCheckDeps;
  readonly #latest = new LatestOnly();
  #checked = $state.raw<CheckedDraft>();
  #graph = $state.raw<CheckedDraft & { readonly text: string }>();
  #marks = $state.raw<Readonly<Record<string, readonly IssueRange[]>>>({});

  constructor(deps: WorkflowCheckDeps) {
    this.#deps = deps;
  }

  /** Result of the newest check; undefined until there is one. */
  get checked(): CheckedDraft | undefined {
    return this.#checked;
  }

  /** Graph of the last text that had one, with that text. */
  get graph(): (CheckedDraft & { readonly text: string }) | undefined {
    return this.#graph;
  }

  /** Issues of a file, where they are marked. */
  marksOf(name: string): readonly IssueRange[] {
    return this.#marks[name] ?? [];
  }

  /** Checks a changed text: at once, or after a pause in typing. */
  follow(isTyping: boolean): void {
    this.cancel();
    if (isTyping) this.#latest.startLater(typingPauseMs, () => void this.now());
    else void this.now();
  }

  /** Never rejects: a later check, or the server's return, brings the result. */
  async now(): Promise<void> {
    const signal = this.#latest.start();
    const files = this.#deps.files().map(({ name, text }) => ({ name, text }));
    const text = files[0]?.text ?? '';
    const checked = await this.#deps.ask().catch(() => undefined);
    if (signal.aborted || checked === undefined) return;
    this.#checked = checked;
    if (checked.nodes.length > 0) this.#graph = { ...checked, text };
    this.#marks = Object.fromEntries(
      files.map((file, index) => [
        file.name,
        issueRanges(file.text, index === 0 ? checked.issues : (checked.sidecars[file.name] ?? [])),
      ]),
    );
  }

  cancel(): void {
    this.#latest.cancel();
  }
}
