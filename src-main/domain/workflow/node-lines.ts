// The lines of a workflow file that make up a node, for people who look for what is wrong with it.
import type { Workflow } from './workflow.ts';

export type FileLine = { readonly line: number; readonly text: string };

/** Longer nodes, and longer lines, are read in the file. */
const maxLines = 30;
const longestLine = 300;

/** The node's lines, one of which begins it, and the line before; undefined where the workflow has no such node. */
export function nodeLines(
  text: string,
  workflow: Workflow,
  nodeId: string,
): { readonly line: number; readonly lines: readonly FileLine[] } | undefined {
  const node = workflow.nodes.find(({ id }) => id === nodeId);
  if (node === undefined) return undefined;
  const all = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const next = workflow.nodes.map(({ line }) => line).filter((line) => line > node.line);
  const end = Math.min(all.length, node.line + maxLines - 1, ...next.map((line) => line - 1));
  const own = all.slice(node.line - 1, end);
  // After the last node other keys of the file may come.
  const after = own.findIndex((line, index) => index > 0 && /^[\w"\]}]/.test(line));
  const lines = after < 0 ? own : own.slice(0, after);
  while (lines.length > 1 && lines.at(-1)?.trim() === '') lines.pop();
  const first = Math.max(1, node.line - 1);
  const shown = [...all.slice(first - 1, node.line - 1), ...lines];
  return {
    line: node.line,
    lines: shown.map((line, index) => ({ line: first + index, text: line.slice(0, longestLine) })),
  };
}
