// Finds the line of a node that a failure is about: the expression or key that the message names. A failure carries no
// position, so this is found by text: a name that the message quotes, then a text that the line writes, then the key
// that the node's type is about.
import { escapeRegExp } from '../../base/escape-reg-exp.ts';
import { nodeTypes, type NodeType } from '../nodes/catalogue.ts';

export type FileLine = { readonly line: number; readonly text: string };

/**
 * The number of the line at fault among the node's lines.
 * @param lines the node's own lines, its first line first
 * @returns undefined if no line stands out
 */
export function faultLine(lines: readonly FileLine[], type: NodeType, failure: string): number | undefined {
  const message = failure.replace(/^item \d+ of \d+: /, '');
  const code = lines.map(({ line, text }) => ({ line, text: withoutComment(text) }));
  // A condition is at fault where it is false, and not the message that it fails with.
  if (type === 'assert' && !/^\w*Error: /.test(message)) return lineOfKey(code, ['that']);
  const byKey = lineOfKey(code, keysOf(type, message));
  // The names are those of another file.
  if (type === 'workflow' && message.startsWith('workflow "')) return byKey;
  const writesMessages = type === 'code' || type === 'fail';
  return lineOfName(code, message) ?? (writesMessages ? lineOfText(code, message) : undefined) ?? byKey;
}

const keysOf = (type: NodeType, message: string): readonly string[] =>
  message.includes('took longer than') ? ['timeout', ...nodeTypes[type].mainKeys] : nodeTypes[type].mainKeys;

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
