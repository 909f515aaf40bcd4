// Ranges of a text that issues are marked at: an issue knows only where it begins.
import type { WorkflowSource } from '#contract';

type TextIssue = WorkflowSource['issues'][number];

/** Offsets count UTF-16 units of the text. */
export type IssueRange = {
  readonly from: number;
  readonly to: number;
  readonly severity: TextIssue['severity'];
  readonly message: string;
};

/** From the beginning of each issue to the end of its word; never empty, unless the text is. */
export function issueRanges(text: string, issues: readonly TextIssue[]): readonly IssueRange[] {
  const starts = lineStarts(text);
  return issues.map(({ line, column, severity, message }) => {
    const [start, end] = lineRange(text, starts, line);
    const from = Math.min(start + column - 1, end);
    const word = /^[^\s,:[\]{}]+/.exec(text.slice(from, end))?.[0].length ?? 1;
    if (from + word <= end) return { from, to: from + word, severity, message };
    // The issue is at the end of the line, or the line is empty.
    return { from: Math.max(0, end - 1), to: Math.min(Math.max(end, 1), text.length), severity, message };
  });
}

/** Offset at which a line begins; lines count from 1. */
export const lineOffset = (text: string, line: number): number => lineRange(text, lineStarts(text), line)[0];

function lineRange(text: string, starts: readonly number[], line: number): readonly [number, number] {
  const start = starts[line - 1] ?? text.length;
  const next = starts[line];
  const end = next === undefined ? text.length : next - 1;
  return [start, end > start && text.charAt(end - 1) === '\r' ? end - 1 : end];
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
