// What the server keeps in memory of the previews of one workflow: the preview under way, and what the last one showed.
import type { JsonValue } from '../../base/json-value.ts';
import { NewestTask } from '../../base/newest-task.ts';
import type { SeenValues } from '../../domain/authoring/language/language-context.ts';
import type { PreviewMode } from '../../domain/run/preview.ts';
import type { MockChoice } from '../../domain/workflow/choose-mocks.ts';
import type { TableFiles } from '../../files/table-files.ts';
import type { PreviewRow } from '../../executor/run/preview-rows.ts';
import type { PreviewResult } from './describe-preview.ts';
import { createCalledAnswers, type CalledAnswer } from './called-answers.ts';

/** Maximum characters of a row or value that completions see, as JSON. */
const maxSeenLength = 20_000;

/** The last preview that was shown. */
type ShownPreview = {
  readonly mode: PreviewMode;
  /** The mocks in use in mode `mocks`; undefined: the first one of each node. */
  readonly mocks: MockChoice | undefined;
  /** Name of the profile that the user chose; undefined: that of the server. */
  readonly chosenProfile: string | undefined;
  /** Tables of the draft; undefined: those of the disk. */
  readonly tables: TableFiles | undefined;
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
    for (const { key } of answers) this.answers.delete(key);
  }

  /** Puts a row in place of the same row of the last preview. */
  replaceResult(result: PreviewResult): void {
    if (this.shown === undefined) return;
    const { number } = result.view;
    const results = this.shown.results.map((each) => (each.view.number === number ? result : each));
    this.shown = { ...this.shown, results };
  }
}

/** Rows and values of a preview, without large ones. */
export function seenIn(shown: ShownPreview | undefined): SeenValues {
  const { rows = [], results = [] } = shown ?? {};
  const nodes = new Map<string, JsonValue[]>();
  for (const { values } of results)
    for (const [id, value] of values)
      if (value.kind === 'whole' && JSON.stringify(value.value).length <= maxSeenLength)
        nodes.set(id, [...(nodes.get(id) ?? []), value.value]);
  return {
    row: rows.flatMap(({ json }) => (json.length <= maxSeenLength ? [JSON.parse(json) as JsonValue] : [])),
    nodes: Object.fromEntries(nodes),
  };
}
