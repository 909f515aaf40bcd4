// Rows of an editor as a draft stores them: a first row that describes the others, then the rows themselves. The first
// row has what plain rows do not say: columns with their order and types, the original run, text that is not valid yet,
// and the options of the run. The server does not read it.
import type { JsonObject } from '#contract';
import { jsonRow } from './grid/sheet-rows.ts';
import type { DraftHeader, RowEditor } from './row-editor.svelte.ts';

/** The rows of this moment, even if the editor changes while they are read. */
export function draftRows(editor: RowEditor): Iterable<JsonObject> {
  const { rows, columns } = editor.sheet;
  const { origin, text } = editor;
  const header: DraftHeader = {
    version: 1,
    columns: columns.map(({ name, type }) => ({ name, type })),
    options: editor.options,
    ...(origin === undefined ? {} : { origin, numbers: rows.map(({ origin: number }) => number ?? null) }),
    ...(text === undefined ? {} : { text: { text, isNewer: !editor.hasTextConflict } }),
  };
  return (function* () {
    yield header as unknown as JsonObject;
    for (const row of rows) yield jsonRow(row, columns);
  })();
}

/** Puts the rows of a draft into the editor, as one step of its history. Throws for a draft of another version. */
export function restoreRows(editor: RowEditor, [first, ...rows]: readonly JsonObject[]): void {
  const header = first as unknown as DraftHeader | undefined;
  if (header?.version !== 1)
    throw new Error('The rows that you prepared were saved by another version of Rowbench.');
  editor.restore(header, rows);
}
