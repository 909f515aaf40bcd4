// Parses the text that the user typed to find a row: the row's number, or the identifier in its output.

type RowQuery = { readonly row: number } | { readonly problem: string };

/** Undefined for an empty text. */
export function parseRowQuery(typed: string, runId: string): RowQuery | undefined {
  const text = typed.trim();
  if (text === '') return undefined;
  const id = /^([0-9a-z]+)_(\d{6,9})$/i.exec(text);
  if (id !== null) {
    const isOfRun = id[1]?.toLowerCase() === runId.slice(runId.lastIndexOf('-') + 1).toLowerCase();
    return isOfRun ? { row: Number(id[2]) } : { problem: 'That row belongs to another run' };
  }
  const number = /^(?:row\s*)?#?(\d[\d,\s]*)$/i.exec(text)?.[1]?.replaceAll(/[,\s]/g, '');
  if (number === undefined || number.length > 9 || Number(number) === 0)
    return { problem: 'Type a row’s number or its identifier' };
  return { row: Number(number) };
}

/**
 * Distance in a list from a located row to the next or previous row.
 * @param found the row, or the next one in the list if the row is not in it
 */
export function stepFrom(
  found: { readonly row: number; readonly isThere: boolean },
  { here, step }: { readonly here: number | undefined; readonly step: 1 | -1 },
): number {
  if (found.isThere) return step;
  const isBefore = here !== undefined && found.row < here;
  return step === -1 && !isBefore ? -1 : 0;
}
