// The text that a user makes of two versions of a file: changes of one side are taken, and each clash is decided.
import type { MergeHunk } from '#contract';

export type Clash = Extract<MergeHunk, { kind: 'clash' }>;

/** The text of each decided clash, by the index of its part. */
export type Decisions = Readonly<Record<number, string>>;

/** The lines of both versions, mine first. */
export const bothOf = ({ mine, theirs }: Clash): string => `${withLineEnd(mine)}${theirs}`;

const withLineEnd = (lines: string): string => (lines === '' || lines.endsWith('\n') ? lines : `${lines}\n`);

/** Indexes of the parts that are still to be decided. */
export const openClashes = (parts: readonly MergeHunk[], decisions: Decisions): readonly number[] =>
  parts.flatMap(({ kind }, index) => (kind === 'clash' && decisions[index] === undefined ? [index] : []));

/** The whole text; undefined while a clash is open. */
export function decidedText(parts: readonly MergeHunk[], decisions: Decisions): string | undefined {
  if (openClashes(parts, decisions).length > 0) return undefined;
  return parts.map((part, index) => (part.kind === 'clash' ? decisions[index] : part.text)).join('');
}

/** Lines that a user typed, with the line ends of a clash. */
export function typedLines(typed: string, { mine, theirs }: Clash): string {
  const lines = withLineEnd(typed);
  return mine.includes('\r\n') || theirs.includes('\r\n') ? lines.replaceAll(/\r?\n/g, '\r\n') : lines;
}
