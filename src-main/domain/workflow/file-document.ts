// A workflow file as data that still knows where everything stands. JSON is read in the same way, as the part of
// YAML that it is.
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Document,
  type ParsedNode,
  type Pair,
  type YAMLMap,
  Scalar,
} from 'yaml';
import type { JsonValue } from '../../base/json-value.ts';
import { rememberOrder } from '../rows/name-order.ts';
import type { Position } from '../expressions/value.ts';
import type { FileProblem, PathStep } from './file-problem.ts';
import type { Issue } from './issue.ts';
import type { LineIndex } from './line-index.ts';

export type FileNode = ParsedNode | null;
export type FilePair = Pair<ParsedNode, FileNode>;

export class FileDocument {
  /** As plain data; keys such as `__proto__` are own keys, an alias is null. */
  readonly data: JsonValue;
  readonly #text: string;
  readonly #root: FileNode;
  readonly #lines: LineIndex;

  constructor(text: string, document: Document.Parsed, lines: LineIndex) {
    this.#text = text;
    this.#root = document.contents;
    this.#lines = lines;
    this.data = fileJson(document.contents);
  }

  /** Where a problem stands; for a path into what is missing, where it is missing from. */
  positionOf({ path, atKey, offset }: Pick<FileProblem, 'path' | 'atKey' | 'offset'>): Position {
    const { key, value: node } = this.#find(path);
    if (node === null || (atKey === true && key !== null)) return this.#lines.positionOf(startOf(key));
    if (offset === undefined || !isScalar(node)) return this.#lines.positionOf(startOf(node));
    return this.#lines.positionOf(scalarOffset(this.#text, node, offset));
  }

  /** The issue of a problem, where it stands. */
  issueOf(problem: FileProblem): Issue {
    const { severity = 'error', message } = problem;
    return { severity, message, ...this.positionOf(problem) };
  }

  /** Lines from 1, the last included; what follows it, comments too, is left out. */
  linesOf(path: readonly PathStep[]): { readonly first: number; readonly last: number } {
    const [start = 0, end = start] = this.#find(path).value?.range ?? [];
    const text = this.#text.slice(start, end).trimEnd();
    const lineAt = (offset: number): number => this.#lines.positionOf(offset).line;
    return { first: lineAt(start), last: lineAt(start + Math.max(0, text.length - 1)) };
  }

  /** First line of the comment directly above an item of a list in lines, without its mark; undefined for none. */
  commentAbove(path: readonly PathStep[]): string | undefined {
    const [start = 0] = this.#find(path).value?.range ?? [];
    let line = this.#text.lastIndexOf('\n', start - 1) + 1;
    const indent = /^ *(?=- *$)/.exec(this.#text.slice(line, start))?.[0];
    let comment: string | undefined;
    while (indent !== undefined && line > 0) {
      const above = this.#text.lastIndexOf('\n', line - 2) + 1;
      const text = this.#text.slice(above, line);
      if (!text.startsWith(`${indent}#`)) break;
      comment = text;
      line = above;
    }
    return comment?.replace(/^ *# ?/, '').trim() || undefined;
  }

  /** Key and value at the path, or at as much of the path as exists. */
  #find(path: readonly PathStep[]): Child {
    let found: Child = { key: null, value: this.#root };
    for (const step of path) {
      const next = child(found.value, step);
      if (next === undefined) break;
      found = next;
    }
    return found;
  }
}

const startOf = (node: FileNode): number => node?.range[0] ?? 0;

type Child = { readonly key: FileNode; readonly value: FileNode };

function child(node: FileNode, step: PathStep): Child | undefined {
  if (isSeq(node)) {
    const value = typeof step === 'number' ? (node.items[step] as FileNode | undefined) : undefined;
    return value === undefined ? undefined : { key: null, value };
  }
  if (!isMap(node)) return undefined;
  const pair = pairsByKey(node).get(String(step));
  return pair === undefined ? undefined : { key: pair.key, value: pair.value };
}

/** Made once per mapping: a file may have tens of thousands of names, each of which is looked up. */
const indexes = new WeakMap<YAMLMap, ReadonlyMap<string, FilePair>>();

function pairsByKey(map: YAMLMap): ReadonlyMap<string, FilePair> {
  const known = indexes.get(map);
  if (known !== undefined) return known;
  // Of a key that stands twice the last one counts, as in the data.
  const made = new Map((map.items as FilePair[]).map((pair) => [keyText(pair.key), pair]));
  indexes.set(map, made);
  return made;
}

export const keyText = (key: FileNode): string => (isScalar(key) ? String(key.value) : '');

/** The value of a node; keys such as `__proto__` are own keys, an alias is null. */
export function fileJson(node: FileNode): JsonValue {
  if (node === null || isAlias(node)) return null;
  if (isSeq(node)) return node.items.map((item) => fileJson(item as FileNode));
  if (isMap(node)) return toObject(node.items);
  return scalarJson(node.value);
}

function toObject(pairs: readonly FilePair[]): JsonValue {
  const object: { [key: string]: JsonValue } = {};
  for (const { key, value } of pairs) {
    // Plain assignment to `__proto__` would change the prototype instead of adding a key.
    Object.defineProperty(object, keyText(key), {
      value: fileJson(value),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  rememberOrder(object, [...new Set(pairs.map(({ key }) => keyText(key)))]);
  return object;
}

function scalarJson(value: unknown): JsonValue {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return null;
}

// From a place inside a string to its place in the file. A string may be plain, quoted, folded over lines or a
// block, but all that these ways of writing change is white space and escapes. So the n-th character that is not
// white space is the same on both sides:
//
//   code: >-            value  "row.a + row.b"       offset 8 ('r' of row.b) is the 6th of them
//     row.a             file   "row.a\n    + row.b"  and so is the 'r' in the third line
//     + row.b

/** The offset in the file of a place in the scalar's value; behind its last character for a place behind that. */
function scalarOffset(text: string, scalar: Scalar, offset: number): number {
  const [start, end] = scalar.range ?? [0, 0];
  if (typeof scalar.value !== 'string') return start;
  const style = styleOf(text, start, scalar.type);
  return nthSolid(text.slice(0, end), style, countSolid(scalar.value.slice(0, offset)));
}

const countSolid = (value: string): number => value.replace(/\s+/g, '').length;

/** A way of writing: where the text begins, one written character, and what that stands for. */
type Style = { readonly start: number; readonly unit: RegExp; readonly decode?: (written: string) => string };

function styleOf(text: string, start: number, type: Scalar.Type | undefined): Style {
  switch (type) {
    case Scalar.QUOTE_DOUBLE:
      return { start: start + 1, unit: /\\(?:x..|u.{4}|U.{8}|\r\n|[^])|[^"]/y, decode: unescape };
    case Scalar.QUOTE_SINGLE:
      return { start: start + 1, unit: /''|[^']/y, decode: (written) => written.charAt(0) };
    case Scalar.BLOCK_FOLDED:
    case Scalar.BLOCK_LITERAL:
      return { start: lineEnd(text, start), unit: /[^]/y };
    default:
      return { start, unit: /[^]/y };
  }
}

/** The header of a block (`|-`, and perhaps a comment) is no part of its text. */
function lineEnd(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end < 0 ? text.length : end;
}

/** Where the n-th character (from 0) that is not white space is written. */
function nthSolid(text: string, { start, unit, decode }: Style, n: number): number {
  let left = n;
  let behind = start;
  unit.lastIndex = start;
  for (
    let at = start, match = unit.exec(text);
    match !== null;
    at = unit.lastIndex, match = unit.exec(text)
  ) {
    // An escape may stand for a pair of UTF-16 units; both are where it is.
    const solid = countSolid(decode?.(match[0]) ?? match[0]);
    if (solid > left) return at;
    left -= solid;
    if (solid > 0) behind = unit.lastIndex;
  }
  return behind;
}

/** Enough of YAML's escapes to know which are white space: the letters below are, and a line break joins lines. */
function unescape(written: string): string {
  if (!written.startsWith('\\')) return written;
  if (/^\\[xuU]/.test(written)) return codePoint(parseInt(written.slice(2), 16));
  return /^\\[tnvfr \t_LP\r\n]/.test(written) ? ' ' : '*';
}

/** The character of a code point. The YAML parser has reported invalid code points already; they give `*`. */
const codePoint = (code: number): string => (code <= 0x10_ffff ? String.fromCodePoint(code) : '*');
