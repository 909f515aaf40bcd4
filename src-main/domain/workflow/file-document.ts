// A workflow file as data that still knows where everything stands. JSON is read in the same way, as the part of
// YAML that it is.
import { isAlias, isMap, isScalar, isSeq, type Document, type ParsedNode, type Pair } from 'yaml';
import type { JsonValue } from '../../base/json-value.ts';
import type { Position } from '../expressions/value.ts';
import type { FileProblem, PathStep } from './file-problem.ts';
import type { Issue } from './issue.ts';
import type { LineIndex } from './line-index.ts';
import { scalarOffset } from './scalar-offset.ts';

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
  // Of a key that stands twice the last one counts, as in the data.
  const pair = (node.items as FilePair[]).findLast((item) => keyText(item.key) === String(step));
  return pair === undefined ? undefined : { key: pair.key, value: pair.value };
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
  return object;
}

function scalarJson(value: unknown): JsonValue {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return null;
}
