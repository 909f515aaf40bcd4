/** Maximum length of a name that is compared, in characters. */
const maxNameLength = 100;

/** The candidate that a misspelt name most likely meant; undefined where none is close. */
export function closestName(name: string, candidates: Iterable<string>): string | undefined {
  // The comparison takes as long as the product of both lengths.
  if (name.length > maxNameLength) return undefined;
  const typed = name.toLowerCase();
  let best: string | undefined;
  let bestDistance = allowedDistance(name.length) + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) >= bestDistance) continue;
    const distance = editDistance(typed, candidate.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** ` (did you mean "retry"?)`, or nothing. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const closest = closestName(name, candidates);
  return closest === undefined ? '' : ` (did you mean "${closest}"?)`;
}

/** The name that a message of `didYouMean`, or of code in expressions, proposes. */
export const meantName = (message: string): string | undefined =>
  /[(;] ?did you mean (?:(?:nodes|vars)\.(\w+)|"(.+?)")\?/
    .exec(message)
    ?.slice(1)
    .find((name) => name !== undefined);

/** A wrong guess misleads more than no guess helps, so short names get one letter only. */
const allowedDistance = (length: number): number => (length <= 3 ? 1 : length <= 7 ? 2 : 3);

/** Insertions, deletions, changes and swaps of neighbours that lead from one text to the other. */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const change = from[row - 1] === to[column - 1] ? 0 : 1;
      const swapped = change === 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current.push(
        Math.min(
          at(last, column) + 1,
          at(current, column - 1) + 1,
          at(last, column - 1) + change,
          swapped ? at(beforeLast, column - 2) + 1 : Infinity,
        ),
      );
    }
    [beforeLast, last] = [last, current];
  }
  return at(last, to.length);
}

const at = (cells: readonly number[], index: number): number => cells[index] ?? Infinity;
