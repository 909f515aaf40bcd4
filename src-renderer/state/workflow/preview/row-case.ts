// Reads the chosen row of a preview for a test of it.
import type { JsonObject, PreviewedRow, PreviewSource, RowCase } from '#contract';
import type { EditorSession } from '../files/editor-session.svelte.ts';
import type { LivePreview } from './live-preview.svelte.ts';

/** The row with its result; the user names the test and may choose fields of the output. */
export type ReadRowCase = Omit<RowCase, 'name' | 'expect'> & {
  readonly end: { readonly output: JsonObject } | { readonly error: string };
};

/** Throws an error with a message for the user if a test could not repeat the row. */
export async function readRowCase(session: EditorSession, preview: LivePreview): Promise<ReadRowCase> {
  const { row } = preview;
  const input = session.checked?.nodes.find(({ type }) => type === 'input');
  if (row === undefined || input === undefined || preview.isOld)
    throw new Error('There is no preview of the text as it is now.');
  const problem = obstacleTo(row);
  if (problem !== undefined) throw new Error(problem);
  return {
    row: await wholeValue(preview, input.id),
    mocked: nodesFrom(row, 'mock'),
    ...(nodesFrom(row, 'recorded').length === 0 ? {} : { cassette: cassetteOf(session) }),
    end: row.error === undefined ? { output: await wholeValue(preview) } : { error: row.error.message },
  };
}

const nodesFrom = (row: PreviewedRow, source: PreviewSource): string[] =>
  row.nodes.filter((each) => each.from === source).map(({ nodeId }) => nodeId);

function obstacleTo(row: PreviewedRow): string | undefined {
  const open = row.nodes.find(({ state }) => state === 'notCalled' || state === 'tooSlow');
  if (open !== undefined) return `${open.nodeId} has no value: give it a mock first.`;
  const [called] = nodesFrom(row, 'called');
  if (called !== undefined) return `${called} was called: keep its answer first.`;
  return nodesFrom(row, 'kept').length > 0 ? 'The row has a value that is only assumed.' : undefined;
}

function cassetteOf(session: EditorSession): string {
  const cassette = session.files.find(({ name }) => name.endsWith('.cassette.json'));
  if (cassette === undefined) throw new Error('Its recorded answers are in no file beside the workflow.');
  return cassette.name;
}

async function wholeValue(preview: LivePreview, nodeId?: string): Promise<JsonObject> {
  const value = await preview.value(nodeId);
  if (value === undefined || value.isCut) throw new Error('The row is too large for a test.');
  return JSON.parse(value.json) as JsonObject;
}

/** The tests file of the workflow that gets new tests; it may not exist yet. */
export function testsFileFor(session: Pick<EditorSession, 'files' | 'fileName'>): string {
  const own = session.fileName.replace(/\.workflow\.(ya?ml|json)$/, '.tests.');
  const known = session.files.find(({ name }) => name.startsWith(own));
  return known?.name ?? `${own}yaml`;
}
