// Writes one value of a file anew and leaves every other character as it is, which the YAML library's own writer
// does not: that one lays out the whole file again.
import { isMap, parseDocument, stringify, type Document } from 'yaml';
import type { JsonValue } from '../../base/json-value.ts';
import type { FileNode, FilePair } from './file-document.ts';
import { keyText } from './file-document.ts';
import type { PathStep } from './file-problem.ts';

/**
 * The text with `value` at `path`; as it was where no value is written. A list right below a block gets a line for each
 * entry, everything else one line. The text must be YAML or JSON without syntax errors.
 */
export function replaceValue(text: string, path: readonly PathStep[], value: JsonValue): string {
  const document = parseDocument(text, { stringKeys: true });
  const range = (document.getIn(path, true) as FileNode | undefined)?.range;
  if (!range || range[1] === range[0]) return text;
  const [start, blockEnd] = range;
  // A block ends behind its last line break.
  const end = start + text.slice(start, blockEnd).trimEnd().length;
  const after = text.slice(end);
  const indent = Array.isArray(value) && value.length > 0 ? listIndent(text, document, path) : undefined;
  if (indent === undefined) return text.slice(0, start) + oneLine(text, value) + after;
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = (value as readonly JsonValue[]).map((entry) => `${lineBreak}${indent}- ${flow(entry)}`);
  return text.slice(0, start).trimEnd() + lines.join('') + after;
}

const oneLine = (text: string, value: JsonValue): string =>
  text.trimStart().startsWith('{') ? JSON.stringify(value) : flow(value);

/** Two deeper than the list's key; undefined where the list must stay in one line. */
function listIndent(text: string, document: Document, path: readonly PathStep[]): string | undefined {
  const around = document.getIn(path.slice(0, -1), true);
  const isInFlow = path.some((_, length) => {
    const outer: unknown = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    return typeof outer === 'object' && outer !== null && 'flow' in outer && outer.flow === true;
  });
  if (!isMap(around) || isInFlow) return undefined;
  const pair = (around.items as unknown as FilePair[]).find(({ key }) => keyText(key) === path.at(-1));
  const keyStart = pair?.key.range[0] ?? 0;
  return ' '.repeat(keyStart - (text.lastIndexOf('\n', keyStart - 1) + 1) + 2);
}

/** `{ name: text, list: [1, 2] }` */
function flow(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return flowScalar(value);
  const entries = Object.entries(value as { readonly [key: string]: JsonValue });
  if (entries.length === 0) return '{}';
  return `{ ${entries.map(([key, entry]) => `${flowScalar(key)}: ${flow(entry)}`).join(', ')} }`;
}

/** Written inside brackets, so that whatever needs quotes there has them. */
function flowScalar(value: string | number | boolean | null): string {
  if (typeof value === 'string' && /[\n\r]|^\s|\s$|^<<$/.test(value)) return JSON.stringify(value);
  const written = stringify([value], {
    collectionStyle: 'flow',
    flowCollectionPadding: false,
    lineWidth: 0,
  }).trim();
  return written.includes('\n') ? JSON.stringify(value) : written.slice(1, -1);
}
