// Brings two changed versions of a text together, line by line.
import { diffLines } from 'diff';

/** Lines of the base that a version has replaced. */
type Replacement = { readonly from: number; readonly to: number; readonly text: string };

/** Time for one comparison, in ms: very different texts of a megabyte take minutes. */
const maxMs = 500;

/** The texts of a file: as it was, and as each side has changed it. */
export type ChangedTexts = { readonly base: string; readonly mine: string; readonly theirs: string };

/** A part of two changed versions of a text; the parts are in order, and a part of a text may be empty. */
export type MergeHunk =
  /** Lines that no version has changed. */
  | { readonly kind: 'same'; readonly text: string }
  /** Lines that one version has changed, or both in the same way: `text` stands in place of `before`. */
  | { readonly kind: 'mine' | 'theirs'; readonly before: string; readonly text: string }
  /** Lines that the versions have changed in different ways. */
  | { readonly kind: 'clash'; readonly before: string; readonly mine: string; readonly theirs: string };

/**
 * The parts of both versions; a text that is too different is one clash.
 * @param starts lines of the base, from 0, where a part begins, such as a node: changes of two parts may be adjacent there
 */
export function mergeHunks(
  { base, mine, theirs }: ChangedTexts,
  starts: ReadonlySet<number> = new Set(),
): readonly MergeHunk[] {
  const ours = replacements(base, mine);
  const others = replacements(base, theirs);
  if (ours === undefined || others === undefined) return [{ kind: 'clash', before: base, mine, theirs }];
  const lines = base.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const textOf = (from: number, to: number): string => lines.slice(from, to).join('');
  const parts: MergeHunk[] = [];
  let at = 0;
  for (const group of touching(ours, others, starts)) {
    const { from, to } = rangeOf([...group.ours, ...group.others]);
    if (from > at) parts.push({ kind: 'same', text: textOf(at, from) });
    const changed = (own: readonly Replacement[]): string => replaced(own, { from, to, textOf });
    const [before, mineThere, theirsThere] = [textOf(from, to), changed(group.ours), changed(group.others)];
    if (group.others.length === 0 || mineThere === theirsThere)
      parts.push({ kind: 'mine', before, text: mineThere });
    else if (group.ours.length === 0) parts.push({ kind: 'theirs', before, text: theirsThere });
    else parts.push({ kind: 'clash', before, mine: mineThere, theirs: theirsThere });
    at = to;
  }
  if (at < lines.length) parts.push({ kind: 'same', text: textOf(at, lines.length) });
  return parts;
}

/** Two versions without the text that they began with: each difference is a clash. */
export const differingHunks = (mine: string, theirs: string): readonly MergeHunk[] =>
  mergeHunks({ base: mine, mine, theirs }).map((part) =>
    part.kind === 'theirs' ? { kind: 'clash', before: '', mine: part.before, theirs: part.text } : part,
  );

type Group = { readonly ours: Replacement[]; readonly others: Replacement[] };

/** Replacements in order; those that touch one of the other version are a group. */
function touching(
  ours: readonly Replacement[],
  others: readonly Replacement[],
  starts: ReadonlySet<number>,
): readonly Group[] {
  const all = [
    ...ours.map((each) => ({ each, side: 'ours' as const })),
    ...others.map((each) => ({ each, side: 'others' as const })),
  ].sort((one, other) => one.each.from - other.each.from || one.each.to - other.each.to);
  const groups: Group[] = [];
  for (const { each, side } of all) {
    const last = groups.at(-1);
    const opposite = last?.[side === 'ours' ? 'others' : 'ours'] ?? [];
    const isJoined =
      opposite.some((other) => keyOf(other) === keyOf(each) || doTouch(other, each, starts)) ||
      (last !== undefined && each.from < rangeOf([...last.ours, ...last.others]).to);
    const group = isJoined && last !== undefined ? last : { ours: [], others: [] };
    group[side].push(each);
    if (group !== last) groups.push(group);
  }
  return groups;
}

const rangeOf = (replaced: readonly Replacement[]): { readonly from: number; readonly to: number } => ({
  from: Math.min(...replaced.map(({ from }) => from)),
  to: Math.max(...replaced.map(({ to }) => to)),
});

type BaseRange = {
  readonly from: number;
  readonly to: number;
  readonly textOf: (from: number, to: number) => string;
};

/** Text of the base in the range, with the replacements. */
function replaced(own: readonly Replacement[], { from, to, textOf }: BaseRange): string {
  let at = from;
  let text = '';
  for (const each of own) {
    text += textOf(at, each.from) + each.text;
    at = each.to;
  }
  return text + textOf(at, to);
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

function doTouch(one: Replacement, other: Replacement, starts: ReadonlySet<number>): boolean {
  const [from, to] = [Math.max(one.from, other.from), Math.min(one.to, other.to)];
  if (from !== to) return from < to;
  const areInsertions = one.from === one.to && other.from === other.to;
  const isInside = [one, other].some((each) => each.from < from && from < each.to);
  return areInsertions || isInside || !starts.has(from);
}

const keyOf = ({ from, to, text }: Replacement): string => `${from} ${to} ${text}`;
