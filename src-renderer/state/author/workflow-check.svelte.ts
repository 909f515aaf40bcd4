// The check of a workflow's text while it is edited: its graph, its issues, and where they are marked.
import type { CheckedText } from '#contract';
import { LatestOnly } from '../latest-only.ts';
import { issueRanges, type IssueRange } from './issue-ranges.ts';

/** Pause in typing before the text is checked. */
const checkAfterMs = 20;

export class WorkflowCheck {
  readonly #request: () => { readonly text: string; readonly answer: Promise<CheckedText> };
  readonly #latest = new LatestOnly();
  #checked = $state.raw<CheckedText>();
  #graph = $state.raw<CheckedText & { readonly text: string }>();
  #marks = $state.raw<readonly IssueRange[]>([]);

  /** @param request asks the server about the text as it is */
  constructor(request: () => { readonly text: string; readonly answer: Promise<CheckedText> }) {
    this.#request = request;
  }

  /** Result of the newest check; undefined until there is one. */
  get checked(): CheckedText | undefined {
    return this.#checked;
  }

  /** Graph of the last text that had one, with that text. */
  get graph(): (CheckedText & { readonly text: string }) | undefined {
    return this.#graph;
  }

  get marks(): readonly IssueRange[] {
    return this.#marks;
  }

  /** Checks a changed text: at once, or after a pause in typing. */
  follow(isTyping: boolean): void {
    this.cancel();
    if (isTyping) this.#latest.startLater(checkAfterMs, () => void this.now());
    else void this.now();
  }

  /** Never rejects: a later check, or the server's return, brings the result. */
  async now(): Promise<void> {
    const signal = this.#latest.start();
    const { text, answer } = this.#request();
    const checked = await answer.catch(() => undefined);
    if (signal.aborted || checked === undefined) return;
    this.#checked = checked;
    if (checked.nodes.length > 0) this.#graph = { ...checked, text };
    this.#marks = issueRanges(text, checked.issues);
  }

  cancel(): void {
    this.#latest.cancel();
  }
}
