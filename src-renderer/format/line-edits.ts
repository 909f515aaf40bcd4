// The difference of two texts in lines, as the few edits that make one of the other: lines that stay are not replaced,
// so that a caret in them stays where it is.

/** Lines from `from` up to but not including `to` become `lines`. Lines count from 0. */
export type LineEdit = { readonly from: number; readonly to: number; readonly lines: readonly string[] };

/** Differing lines that are searched for. With more, everything between the first and the last is replaced. */
const maxDifferences = 400;

type Ranges = { from: number; endBefore: number; endAfter: number };

/** Edits of `before`, in ascending order; they do not touch. */
export function lineEdits(before: readonly string[], after: readonly string[]): readonly LineEdit[] {
  const ranges = differingRanges(before, after);
  const { from, endBefore, endAfter } = ranges;
  if (from === endBefore && from === endAfter) return [];
  const trace = shortestTrace(before, after, ranges);
  if (trace === undefined) return [{ from, to: endBefore, lines: after.slice(from, endAfter) }];
  return editsOfTrace(trace, after, ranges);
}

/** The lines between the common beginning and the common end. */
function differingRanges(before: readonly string[], after: readonly string[]): Ranges {
  let from = 0;
  const shorter = Math.min(before.length, after.length);
  while (from < shorter && before[from] === after[from]) from += 1;
  let [endBefore, endAfter] = [before.length, after.length];
  while (endBefore > from && endAfter > from && before[endBefore - 1] === after[endAfter - 1]) {
    endBefore -= 1;
    endAfter -= 1;
  }
  return { from, endBefore, endAfter };
}

/** By number of differences: the furthest line of `before` on each diagonal (Myers, 1986). */
type Trace = readonly ReadonlyMap<number, number>[];

function shortestTrace(
  before: readonly string[],
  after: readonly string[],
  ranges: Ranges,
): Trace | undefined {
  const { from, endBefore, endAfter } = ranges;
  const [removable, insertable] = [endBefore - from, endAfter - from];
  const trace: Map<number, number>[] = [];
  let furthest = new Map([[1, 0]]);
  for (
    let differences = 0;
    differences <= Math.min(maxDifferences, removable + insertable);
    differences += 1
  ) {
    const next = new Map<number, number>();
    for (let diagonal = -differences; diagonal <= differences; diagonal += 2) {
      let x = startOn(diagonal, differences, furthest);
      while (x < removable && x - diagonal < insertable && before[from + x] === after[from + x - diagonal])
        x += 1;
      next.set(diagonal, x);
      if (x >= removable && x - diagonal >= insertable) return [...trace, next];
    }
    trace.push(next);
    furthest = next;
  }
  return undefined;
}

/** Where a path begins on a diagonal: by an inserted line from the one above, or a removed one from the one below. */
function startOn(diagonal: number, differences: number, furthest: ReadonlyMap<number, number>): number {
  return isInsertion(diagonal, differences, furthest)
    ? (furthest.get(diagonal + 1) ?? 0)
    : (furthest.get(diagonal - 1) ?? 0) + 1;
}

const isInsertion = (diagonal: number, differences: number, furthest: ReadonlyMap<number, number>): boolean =>
  diagonal === -differences ||
  (diagonal !== differences && (furthest.get(diagonal - 1) ?? -1) < (furthest.get(diagonal + 1) ?? -1));

/** Walks the shortest path from its end, and joins steps that touch. */
function editsOfTrace(
  trace: Trace,
  after: readonly string[],
  { from, endBefore, endAfter }: Ranges,
): LineEdit[] {
  const steps: { x: number; y: number; endX: number; endY: number }[] = [];
  let [x, y] = [endBefore - from, endAfter - from];
  for (let differences = trace.length - 1; differences > 0; differences -= 1) {
    const furthest = trace[differences - 1] ?? new Map<number, number>();
    const isInserted = isInsertion(x - y, differences, furthest);
    const startX = furthest.get(x - y + (isInserted ? 1 : -1)) ?? 0;
    const startY = startX - (x - y + (isInserted ? 1 : -1));
    const [endX, endY] = isInserted ? [startX, startY + 1] : [startX + 1, startY];
    const last = steps.at(-1);
    if (last !== undefined && last.x === endX && last.y === endY)
      Object.assign(last, { x: startX, y: startY });
    else steps.push({ x: startX, y: startY, endX, endY });
    [x, y] = [startX, startY];
  }
  return steps.reverse().map((step) => ({
    from: from + step.x,
    to: from + step.endX,
    lines: after.slice(from + step.y, from + step.endY),
  }));
}

/** The one edit that makes `after` of `before`, without their common beginning and end. */
export function textDifference(
  before: string,
  after: string,
): { readonly from: number; readonly to: number; readonly insert: string } {
  const shorter = Math.min(before.length, after.length);
  let from = 0;
  while (from < shorter && before[from] === after[from]) from += 1;
  let end = 0;
  while (end < shorter - from && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  return { from, to: before.length - end, insert: after.slice(from, after.length - end) };
}
