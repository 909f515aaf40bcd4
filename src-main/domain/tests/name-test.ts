// Names of tests, and of the files that they are in. Pure. Loads no parser: a server imports it at its start.

/** `rows 1-3, 7 of run …4f0c21aa` */
export const nameOfTest = ({
  runId,
  rows,
}: {
  readonly runId: string;
  readonly rows: readonly { readonly row: number }[];
}): string => `${describeRowNumbers(rows.map(({ row }) => row))} of run ${runId.slice(-8)}`;

/** The name, with a number behind it if it is taken. */
export function freeTestName(first: string, taken: ReadonlySet<string>): string {
  let name = first;
  for (let again = 2; taken.has(name); again += 1) name = `${first} (${again})`;
  return name;
}

const longestList = 60;

/** `row 5`, `rows 1-3, 7`, or `12 rows` where that is too long to read. */
export function describeRowNumbers(numbers: readonly number[]): string {
  const parts: { first: number; last: number }[] = [];
  for (const number of numbers) {
    const part = parts.at(-1);
    if (part?.last === number - 1) part.last = number;
    else parts.push({ first: number, last: number });
  }
  const list = parts
    .map(({ first, last }) => (first === last ? String(first) : `${first}-${last}`))
    .join(', ');
  if (numbers.length === 1) return `row ${list}`;
  return numbers.length === 0 || list.length > longestList ? `${numbers.length} rows` : `rows ${list}`;
}

/** A name for files that any platform can hold: `rows-1-3-7-of-run-4f0c21aa`. */
export const fileStem = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 60) || 'test';
