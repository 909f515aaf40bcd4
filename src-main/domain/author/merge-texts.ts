// Brings two changed versions of a text together, line by line.
import { diffLines } from 'diff';

/** Lines of the base that a version has replaced. */
type Replacement = { readonly from: number; readonly to: number; readonly text: string };

/** Time for one comparison, in ms: very different texts of a megabyte take minutes. */
const maxMs = 500;

/** The base with the changes of both versions; undefined if they change the same or adjacent lines, or are too different. */
export function mergeTexts(base: string, mine: string, theirs: string): string | undefined {
  const ours = replacements(base, mine);
  const others = replacements(base, theirs);
  if (ours === undefined || others === undefined) return undefined;
  const added = others.filter((other) => !ours.some((own) => isEqual(own, other)));
  if (added.some((other) => ours.some((own) => doTouch(own, other)))) return undefined;
  const lines = base.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const all = [...ours, ...added].sort((one, other) => one.from - other.from);
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

const doTouch = (one: Replacement, other: Replacement): boolean =>
  one.from <= other.to && other.from <= one.to;

const isEqual = (one: Replacement, other: Replacement): boolean =>
  one.from === other.from && one.to === other.to && one.text === other.text;
