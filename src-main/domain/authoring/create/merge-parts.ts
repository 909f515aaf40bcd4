// Brings two changed versions of a text together, line by line.
import { diffLines } from 'diff';

/** Lines of the base that a version has replaced. */
type Replacement = { readonly from: number; readonly to: number; readonly text: string };

/** Time for one comparison, in ms: very different texts of a megabyte take minutes. */
const maxMs = 500;

/** The texts of a file: as it was, and as each side has changed it. */
export type ChangedTexts = { readonly base: string; readonly mine: string; readonly theirs: string };

/**
 * The base with the changes of both versions; undefined if they change the same or adjacent lines, or are too different.
 * @param starts lines of the base, from 0, where a part begins, such as a node: changes of two parts may be adjacent there
 */
export function mergeTexts(
  { base, mine, theirs }: ChangedTexts,
  starts: ReadonlySet<number> = new Set(),
): string | undefined {
  const ours = replacements(base, mine);
  const others = replacements(base, theirs);
  if (ours === undefined || others === undefined) return undefined;
  const known = new Set(ours.map(keyOf));
  const added = others.filter((other) => !known.has(keyOf(other)));
  if (doAnyTouch(ours, added, starts)) return undefined;
  const lines = base.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const all = [...ours, ...added].sort((one, other) => one.from - other.from || one.to - other.to);
  let at = 0;
  let merged = '';
  for (const { from, to, text } of all) {
    merged += lines.slice(at, from).join('') + text;
    at = to;
  }
  return merged + lines.slice(at).join('');
}

function replacements(base: string, changed: string): readonly Replacement[] | undefined {
  const parts = diffLines(base, changed, { timeout: maxMs });
  if (parts === undefined) return undefined;
  const found: Replacement[] = [];
  let line = 0;
  let open: Replacement | undefined;
  for (const { value, count, added, removed } of parts) {
    const from = line;
    if (!added) line += count;
    if (!added && !removed) {
      open = undefined;
      continue;
    }
    // Removed lines and the added ones in their place are two parts of one change.
    if (open !== undefined) found.pop();
    open = {
      from: open?.from ?? from,
      to: line,
      text: (open?.text ?? '') + (added ? value : ''),
    };
    found.push(open);
  }
  return found;
}

/** True if a replacement of one list touches one of the other. Each list is in the order of lines, without overlaps. */
function doAnyTouch(
  ours: readonly Replacement[],
  others: readonly Replacement[],
  starts: ReadonlySet<number>,
): boolean {
  let first = 0;
  return others.some((other) => {
    while ((ours[first]?.to ?? Infinity) < other.from) first += 1;
    for (let at = first; (ours[at]?.from ?? Infinity) <= other.to; at += 1) {
      const own = ours[at];
      if (own !== undefined && doTouch(own, other, starts)) return true;
    }
    return false;
  });
}

function doTouch(one: Replacement, other: Replacement, starts: ReadonlySet<number>): boolean {
  const [from, to] = [Math.max(one.from, other.from), Math.min(one.to, other.to)];
  if (from !== to) return from < to;
  const areInsertions = one.from === one.to && other.from === other.to;
  const isInside = [one, other].some((each) => each.from < from && from < each.to);
  return areInsertions || isInside || !starts.has(from);
}

const keyOf = ({ from, to, text }: Replacement): string => `${from} ${to} ${text}`;
