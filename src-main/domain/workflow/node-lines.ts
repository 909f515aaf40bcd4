// The lines of a workflow file that make up a node, for people who look for what is wrong with it.
import { faultLine, type FileLine } from './fault-line.ts';
import type { Workflow } from './workflow.ts';

/** Longer nodes, and longer lines, are read in the file. */
const maxLines = 30;
const longestLine = 300;

/** A node's lines and the line before them. */
type NodeLines = {
  /** The line at fault if a failure is given and names one, else the node's first line. */
  readonly line: number;
  readonly lines: readonly FileLine[];
};

/** Undefined if the workflow has no such node. @param message of a failure of the node */
export function nodeLines(
  text: string,
  workflow: Workflow,
  { nodeId, message }: { readonly nodeId: string; readonly message?: string | undefined },
): NodeLines | undefined {
  const node = workflow.nodes.find(({ id }) => id === nodeId);
  if (node === undefined) return undefined;
  const all = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const next = workflow.nodes.map(({ line }) => line).filter((line) => line > node.line);
  const end = Math.min(all.length, node.line + maxLines - 1, ...next.map((line) => line - 1));
  const rest = all.slice(node.line - 1, end);
  // After the last node other keys of the file may come.
  const after = rest.findIndex((line, index) => index > 0 && /^[\w"\]}]/.test(line));
  const lines = after < 0 ? rest : rest.slice(0, after);
  while (lines.length > 1 && lines.at(-1)?.trim() === '') lines.pop();
  const first = Math.max(1, node.line - 1);
  const shown = [...all.slice(first - 1, node.line - 1), ...lines].map((line, index) => ({
    line: first + index,
    text: line.slice(0, longestLine),
  }));
  const own = shown.filter(({ line }) => line >= node.line);
  const fault = message === undefined ? undefined : faultLine(own, node.type, message);
  return { line: fault ?? node.line, lines: shown };
}
