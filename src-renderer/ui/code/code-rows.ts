// The rows of a code view: every line of the text, with its messages below it. Pure functions, so that tests need no
// page.

/** Something that is said about a line, which counts from 0. */
export type CodeMark = {
  readonly line: number;
  readonly severity: 'error' | 'warning' | 'note';
  readonly message: string;
};

type CodeRow =
  { readonly kind: 'line'; readonly line: number } | { readonly kind: 'mark'; readonly mark: CodeMark };

/** Marks by line, the worst first, else in their order; those behind the last line stand at it. */
export function clampMarks(marks: readonly CodeMark[], lines: number): readonly CodeMark[] {
  const last = Math.max(0, lines - 1);
  return marks
    .map((mark) => ({ ...mark, line: Math.max(0, Math.min(mark.line, last)) }))
    .sort((one, other) => one.line - other.line || rankOf(one) - rankOf(other));
}

const rankOf = ({ severity }: CodeMark): number => ['error', 'warning', 'note'].indexOf(severity);

/** In which row a line stands. `marks` as clamped. */
export const drawnRowOfLine = (line: number, marks: readonly CodeMark[]): number =>
  line + countBefore(line, marks);

/** The rows from `first` up to but not including `end`. */
export function codeRows(
  { first, end }: { readonly first: number; readonly end: number },
  lines: number,
  marks: readonly CodeMark[],
): readonly CodeRow[] {
  const rows: CodeRow[] = [];
  // The last line that begins at or before the first row.
  let line = lastLineAt(first, lines, marks);
  for (let row = drawnRowOfLine(line, marks); row < end && line < lines; line += 1) {
    const said = marks.slice(countBefore(line, marks), countBefore(line + 1, marks));
    const all: CodeRow[] = [{ kind: 'line', line }, ...said.map((mark) => ({ kind: 'mark' as const, mark }))];
    for (const each of all) {
      if (row >= first && row < end) rows.push(each);
      row += 1;
    }
  }
  return rows;
}

function lastLineAt(row: number, lines: number, marks: readonly CodeMark[]): number {
  let low = 0;
  let high = Math.max(0, lines - 1);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (drawnRowOfLine(middle, marks) <= row) low = middle;
    else high = middle - 1;
  }
  return low;
}

function countBefore(line: number, marks: readonly CodeMark[]): number {
  let low = 0;
  let high = marks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((marks[middle]?.line ?? 0) < line) low = middle + 1;
    else high = middle;
  }
  return low;
}
