/**
 * Number of the row that a text in the search names: `1204`, `row 1,204`, `#1204`, or the identifier in the row's output.
 * Undefined for any other text.
 * @param runIds runs whose rows are shown
 */
export function rowNumberIn(typed: string, runIds: readonly string[]): number | undefined {
  const text = typed.trim();
  const id = /^([0-9a-z]+)_(\d{6,9})$/i.exec(text);
  const isOfRun = (runId: string): boolean =>
    id?.[1]?.toLowerCase() === runId.slice(runId.lastIndexOf('-') + 1).toLowerCase();
  if (id !== null) return runIds.some(isOfRun) ? Number(id[2]) : undefined;
  const digits = /^(?:row\s*)?#?(\d[\d,\s]*)$/i.exec(text)?.[1]?.replaceAll(/[,\s]/g, '') ?? '0';
  return digits.length > 9 || Number(digits) === 0 ? undefined : Number(digits);
}
