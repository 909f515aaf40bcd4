// The checks of the files beside a workflow while they are edited. What a tests file may say depends on the workflow, so
// all of them are checked after each change.
import type { Session } from '../live/session.svelte.ts';
import { LatestOnly } from '../latest-only.ts';
import type { EditorFile } from './editor-file.svelte.ts';
import { issueRanges, type IssueRange } from './issue-ranges.ts';

type SidecarChecksOptions = {
  readonly call: Session['call'];
  readonly workflowId: string;
  /** The workflow's own file first. */
  readonly files: () => readonly EditorFile[];
};

/** Pause in typing before the files are checked. */
const checkAfterMs = 150;

export class SidecarChecks {
  readonly #options: SidecarChecksOptions;
  readonly #latest = new LatestOnly();
  #marks = $state.raw<Readonly<Record<string, readonly IssueRange[]>>>({});

  constructor(options: SidecarChecksOptions) {
    this.#options = options;
  }

  marksOf(name: string): readonly IssueRange[] {
    return this.#marks[name] ?? [];
  }

  later(): void {
    this.cancel();
    this.#latest.startLater(checkAfterMs, () => void this.now());
  }

  /** Never rejects: a later check brings the result. */
  async now(): Promise<void> {
    const signal = this.#latest.start();
    const { call, workflowId } = this.#options;
    const [own, ...sidecars] = this.#options.files();
    const workflow = own?.text ?? '';
    try {
      const checked = await Promise.all(
        sidecars
          .filter(({ text }) => text !== '')
          .map(async ({ name, text }) => {
            const { issues } = await call('author.checkFile', { workflowId, name, text, workflow });
            return [name, issueRanges(text, issues)] as const;
          }),
      );
      if (!signal.aborted) this.#marks = Object.fromEntries(checked);
    } catch {
      // The screen says already that the server does not answer.
    }
  }

  cancel(): void {
    this.#latest.cancel();
  }
}
