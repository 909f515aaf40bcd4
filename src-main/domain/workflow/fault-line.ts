// Finds the line of a node that a failure is about: the expression or key that the message names. A failure carries no
// position, so this is found by text: a name that the message quotes, then a text that the line writes, then the key
// that the node's type is about.
import { escapeRegExp } from '../../base/escape-reg-exp.ts';
import { nodeTypes, type NodeType } from '../nodes/catalogue.ts';
import type { Workflow } from './workflow.ts';

export type FileLine = { readonly line: number; readonly text: string };

/**
 * The number of the line at fault among the node's lines.
 * @param lines the node's own lines, its first line first
 * @returns undefined if no line stands out
 */
export function faultLine(lines: readonly FileLine[], type: NodeType, failure: string): number | undefined {
  const message = failure.replace(/^item \d+ of \d+: /, '');
  const code = lines.map(({ line, text }) => ({ line, text: withoutComment(text) }));
  const { mainKeys, faultSearch } = nodeTypes[type];
  const search = faultSearch(message);
  if (search === 'key') return lineOfKey(code, mainKeys);
  return (
    lineOfName(code, message) ??
    (search === 'text' ? lineOfText(code, message) : undefined) ??
    lineOfKey(code, message.includes('timed out after') ? ['timeout', ...mainKeys] : mainKeys)
  );
}

function lineOfKey(lines: readonly FileLine[], keys: readonly string[]): number | undefined {
  for (const key of keys) {
    const isKey = new RegExp(`(?:^|[\\s{,"'-])${key}["']?\\s*:`);
    const found = lines.find(({ text }) => isKey.test(text));
    if (found !== undefined) return found.line;
  }
  return undefined;
}

/** How messages name a part of the row or of the workflow, the most telling first. */
const namings: readonly RegExp[] = [
  /\((?:reading|setting) ['"]([^'"]+)['"]\)/,
  /(?:^|[\s.(])([\w$]+) is not (?:a function|defined|iterable|a constructor)/,
  /^([\w$-]+): .+ is not (?:text|a number|true or false|a list|an object)$/s,
  /\b(?:field|header|secret) "?([\w$-]+)"?/,
  /"([\w$-]+)" in "(?:query|body)"/,
];

function lineOfName(lines: readonly FileLine[], message: string): number | undefined {
  for (const naming of namings) {
    const name = naming.exec(message)?.[1];
    if (name === undefined) continue;
    const escaped = escapeRegExp(name);
    // Read as a property first: the name may also be a key of the node.
    for (const isThere of [`[.'"]${escaped}(?![\\w$-])`, `(?<![\\w$-])${escaped}(?![\\w$-])`]) {
      const pattern = new RegExp(isThere);
      const found = lines.find(({ text }) => pattern.test(text));
      if (found !== undefined) return found.line;
    }
  }
  return undefined;
}

/** Shorter texts are in many messages. */
const minTextLength = 4;

/** The line with the longest text that the message has too. */
function lineOfText(lines: readonly FileLine[], message: string): number | undefined {
  const found = lines
    .map(({ line, text }) => ({
      line,
      length: Math.max(0, ...textsOf(text).map((each) => (message.includes(each) ? each.length : 0))),
    }))
    .reduce((best, each) => (each.length > best.length ? each : best), {
      line: 0,
      length: minTextLength - 1,
    });
  return found.line === 0 ? undefined : found.line;
}

/** Texts that a line writes: in quotes, or behind a key; parts that are computed divide them. */
const textsOf = (line: string): readonly string[] =>
  [...line.matchAll(/"([^"]+)"|'([^']+)'|`([^`]+)`|:\s+([^\s"'`{[|>&].*)$/g)]
    .flatMap(([, ...texts]) => texts.find((text) => text !== undefined) ?? [])
    .flatMap((text) => text.split(/\{\{.*?\}\}|\$\{.*?\}/))
    .map((text) => text.replace(/[\s},\]]+$/, '').trim());

const withoutComment = (text: string): string => text.replace(/(?:^|\s)(?:#|\/\/)(?:\s.*)?$/, '');

// The lines of a workflow file that make up a node, for people who look for what is wrong with it.

/** Longer nodes, and longer lines, are read in the file. */
const maxLines = 30;
const longestLine = 300;

/** A node, and the message of its failure if the line at fault is looked for. */
export type NodeFailure = { readonly nodeId: string; readonly message?: string | undefined };

/** A node's lines and the line before them. */
export type NodeLines = {
  /** The line at fault if a failure is given and names one, else the node's first line. */
  readonly line: number;
  readonly lines: readonly FileLine[];
};

/** Undefined if the workflow has no such node. */
export function nodeLines(
  text: string,
  workflow: Workflow,
  { nodeId, message }: NodeFailure,
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
