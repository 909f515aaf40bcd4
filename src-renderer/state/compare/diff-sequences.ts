// What was removed and what was added between two lists of texts: words of a value, or lines of a workflow. Myers' algorithm
// ("An O(ND) Difference Algorithm and Its Variations", 1986), bounded: of lists that differ in very much, all between their
// equal ends counts as changed.

export type DiffPiece = { readonly kind: 'same' | 'removed' | 'added'; readonly items: readonly string[] };

/** Removed and added items, at most, that are looked for one by one. Time and memory grow with its square. */
const maxEdits = 1_000;

export function diffSequences(before: readonly string[], after: readonly string[]): readonly DiffPiece[] {
  let start = 0;
  const shorter = Math.min(before.length, after.length);
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const inner = [before.slice(start, before.length - end), after.slice(start, after.length - end)] as const;
  return joined([
    { kind: 'same', items: before.slice(0, start) },
    ...editsBetween(...inner),
    { kind: 'same', items: end === 0 ? [] : before.slice(-end) },
  ]);
}

function editsBetween(before: readonly string[], after: readonly string[]): readonly DiffPiece[] {
  const paths = shortestPaths(before, after);
  if (paths === undefined)
    return [
      { kind: 'removed', items: before },
      { kind: 'added', items: after },
    ];
  const pieces: DiffPiece[] = [];
  let [x, y] = [before.length, after.length];
  for (let edits = paths.length - 1; edits > 0; edits -= 1) {
    const reached = (diagonal: number): number => paths[edits]?.[diagonal + edits] ?? 0;
    const diagonal = x - y;
    const isAdded = isReachedByAdding(diagonal, edits, reached);
    const fromX = reached(diagonal + (isAdded ? 1 : -1));
    const fromY = fromX - diagonal - (isAdded ? 1 : -1);
    pieces.push(
      { kind: 'same', items: before.slice(isAdded ? fromX : fromX + 1, x) },
      isAdded
        ? { kind: 'added', items: after.slice(fromY, fromY + 1) }
        : { kind: 'removed', items: before.slice(fromX, fromX + 1) },
    );
    [x, y] = [fromX, fromY];
  }
  pieces.push({ kind: 'same', items: before.slice(0, x) });
  return pieces.reverse();
}

/** For each number of edits, how far in `before` each diagonal was reached before them; undefined if it takes too many. */
function shortestPaths(
  before: readonly string[],
  after: readonly string[],
): readonly Int32Array[] | undefined {
  const paths: Int32Array[] = [];
  const middle = maxEdits + 1;
  const furthest = new Int32Array(2 * middle + 1);
  const reached = (diagonal: number): number => furthest[middle + diagonal] ?? 0;
  for (let edits = 0; edits <= maxEdits; edits += 1) {
    paths.push(furthest.slice(middle - edits, middle + edits + 1));
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const isAdded = isReachedByAdding(diagonal, edits, reached);
      let x = isAdded ? reached(diagonal + 1) : reached(diagonal - 1) + 1;
      // No edit leads to the first diagonal.
      if (edits === 0) x = 0;
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) x += 1;
      furthest[middle + diagonal] = x;
      if (x >= before.length && x - diagonal >= after.length) return paths;
    }
  }
  return undefined;
}

/** True if the diagonal is reached furthest by an added item from the one above it, not by a removed one from below. */
const isReachedByAdding = (diagonal: number, edits: number, reached: (diagonal: number) => number): boolean =>
  diagonal === -edits || (diagonal !== edits && reached(diagonal - 1) < reached(diagonal + 1));

/** Neighbours of a kind as one piece; between two equal parts, what was removed comes before what was added. */
function joined(pieces: readonly DiffPiece[]): readonly DiffPiece[] {
  const result: DiffPiece[] = [];
  let removed: string[] = [];
  let added: string[] = [];
  const flush = (): void => {
    if (removed.length > 0) result.push({ kind: 'removed', items: removed });
    if (added.length > 0) result.push({ kind: 'added', items: added });
    [removed, added] = [[], []];
  };
  for (const { kind, items } of pieces) {
    if (items.length === 0) continue;
    if (kind === 'removed') removed.push(...items);
    else if (kind === 'added') added.push(...items);
    else {
      const last = removed.length + added.length === 0 ? result.at(-1) : undefined;
      if (last?.kind === 'same') result[result.length - 1] = { kind, items: [...last.items, ...items] };
      else {
        flush();
        result.push({ kind, items });
      }
    }
  }
  flush();
  return result;
}
