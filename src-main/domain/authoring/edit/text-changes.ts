// Replaced ranges of a text: how every edit is expressed. Ranges that an edit does not name keep their bytes.

/** The characters from `from` to `to` (UTF-16 units, `to` excluded) are replaced by `insert`. */
export type TextChange = { readonly from: number; readonly to: number; readonly insert: string };

/** The text after the changes. They are in order, do not overlap, and all count in the text before. */
export function applyChanges(text: string, changes: readonly TextChange[]): string {
  let at = 0;
  const parts = changes.map(({ from, to, insert }) => {
    const before = text.slice(at, from);
    at = to;
    return before + insert;
  });
  return parts.join('') + text.slice(at);
}

/** The changes that lead from the text after `changes` back to `text`. */
export function inverseOf(text: string, changes: readonly TextChange[]): TextChange[] {
  let shift = 0;
  return changes.map(({ from, to, insert }) => {
    const start = from + shift;
    shift += insert.length - (to - from);
    return { from: start, to: start + insert.length, insert: text.slice(from, to) };
  });
}

/** Changes in order, each as small as it can be; those that change nothing are left out. */
export function normalized(text: string, changes: readonly TextChange[]): TextChange[] {
  // Array.sort is stable: of two insertions at one offset the first stays the first.
  const joined: TextChange[] = [];
  for (const change of changes.toSorted((one, other) => one.from - other.from || one.to - other.to)) {
    const last = joined.at(-1);
    if (last === undefined || last.to < change.from) joined.push(change);
    else joined[joined.length - 1] = { ...last, to: change.to, insert: last.insert + change.insert };
  }
  return joined.map((change) => trimmed(text, change)).filter(({ from, to, insert }) => to > from || insert);
}

function trimmed(text: string, { from, to, insert }: TextChange): TextChange {
  const { start, oldEnd, newEnd } = differingRange(text.slice(from, to), insert);
  return { from: from + start, to: from + oldEnd, insert: insert.slice(start, newEnd) };
}

/** The part that differs between two texts; their common end is as long as it can be, then their common beginning. */
export function differingRange(
  before: string,
  after: string,
): { readonly start: number; readonly oldEnd: number; readonly newEnd: number } {
  const length = Math.min(before.length, after.length);
  let end = 0;
  while (end < length && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  let start = 0;
  while (start < length - end && before[start] === after[start]) start += 1;
  return { start, oldEnd: before.length - end, newEnd: after.length - end };
}

/** A range of the first text that is still there, or a text that took the place of others. */
type Piece = { readonly from: number; readonly to: number } | { readonly insert: string };

/** Collects changes made one after the other, as changes of the first text. */
export class ChangeCollector {
  readonly #text: string;
  #pieces: readonly Piece[];

  constructor(text: string) {
    this.#text = text;
    this.#pieces = [{ from: 0, to: text.length }];
  }

  /** Adds changes of the text as it is after all changes so far. */
  add(changes: readonly TextChange[]): void {
    let at = 0;
    const next: Piece[] = [];
    const rest = [...this.#pieces];
    const skipTo = (offset: number, keep: boolean): void => {
      while (at < offset) {
        const piece = rest.shift();
        if (piece === undefined) return;
        const length = Math.min(pieceLength(piece), offset - at);
        if (keep) next.push(cut(piece, 0, length));
        if (length < pieceLength(piece)) rest.unshift(cut(piece, length, pieceLength(piece)));
        at += length;
      }
    };
    for (const { from, to, insert } of changes) {
      skipTo(from, true);
      next.push({ insert });
      skipTo(to, false);
    }
    this.#pieces = [...next, ...rest];
  }

  changes(): TextChange[] {
    const changes: TextChange[] = [];
    let at = 0;
    let insert = '';
    for (const piece of [...this.#pieces, { from: this.#text.length, to: this.#text.length }]) {
      if ('insert' in piece) insert += piece.insert;
      else {
        changes.push({ from: at, to: piece.from, insert });
        at = piece.to;
        insert = '';
      }
    }
    return normalized(this.#text, changes);
  }
}

const pieceLength = (piece: Piece): number =>
  'insert' in piece ? piece.insert.length : piece.to - piece.from;

const cut = (piece: Piece, from: number, to: number): Piece =>
  'insert' in piece
    ? { insert: piece.insert.slice(from, to) }
    : { from: piece.from + from, to: piece.from + to };
