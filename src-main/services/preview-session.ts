// What the server keeps in memory of the previews of one workflow: the preview under way, and what the last one showed.
import { NewestTask } from '../base/newest-task.ts';
import type { PreviewMode } from '../domain/run/preview.ts';
import type { MockChoice } from '../domain/workflow/choose-mocks.ts';
import type { PreviewRow } from '../executor/run/preview-rows.ts';
import type { PreviewResult } from './describe-preview.ts';
import { createCalledAnswers, requestKey, type CalledAnswer } from './preview-calls.ts';

/** The last preview that was shown. */
type ShownPreview = {
  readonly mode: PreviewMode;
  /** The mocks in use in mode `mocks`; undefined: the first one of each node. */
  readonly mocks: MockChoice | undefined;
  /** Name of the profile that the user chose; undefined: that of the server. */
  readonly chosenProfile: string | undefined;
  readonly rows: readonly PreviewRow[];
  readonly results: readonly PreviewResult[];
};

export class PreviewSession {
  /** Previews, one after another. */
  readonly tasks = new NewestTask();
  /** Answers to calls that a user asked for. */
  readonly answers = createCalledAnswers();
  shown: ShownPreview | undefined;

  /** The answers that the user asked for, of the node's calls for a row of the last preview. */
  calledAnswers(row: number, nodeId: string): readonly CalledAnswer[] {
    const result = this.shown?.results.find(({ view }) => view.number === row);
    return result?.called.get(nodeId) ?? [];
  }

  /** Later previews do not use these answers. */
  forgetAnswers(answers: readonly CalledAnswer[]): void {
    for (const { request } of answers) this.answers.delete(requestKey(request));
  }

  /** Puts a row in place of the same row of the last preview. */
  replaceResult(result: PreviewResult): void {
    if (this.shown === undefined) return;
    const { number } = result.view;
    const results = this.shown.results.map((each) => (each.view.number === number ? result : each));
    this.shown = { ...this.shown, results };
  }
}
