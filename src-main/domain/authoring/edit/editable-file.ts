// The text of a file that is edited, as a tree that knows where everything stands.
import { isAlias, isCollection, isMap, isScalar, Scalar, type CST, type YAMLMap, type YAMLSeq } from 'yaml';
import type { JsonValue } from '../../../base/json-value.ts';
import { jsonOf } from './file-data.ts';
import { keyText, type FileNode, type FilePair } from '../../workflow/file-document.ts';
import type { PathStep } from '../../workflow/file-problem.ts';
import { LineIndex } from '../../workflow/line-index.ts';
import { composeFile, maxDepth, maxFileLength } from '../../workflow/compose-file.ts';

export type Path = readonly PathStep[];

/** Why an edit is not made. */
export type EditRefusal = {
  readonly reason: string;
  /** The line that stands in the way, from 1. */
  readonly line: number;
  /** Fields that read the node which the edit would delete, or cut off. */
  readonly reads?: readonly NodeRead[];
};

/** A field of a node that names another node. */
export type NodeRead = {
  readonly id: string;
  /** Name of the field in its node, such as `values.host`. */
  readonly field: string;
  /** Line of the file, from 1. */
  readonly line: number;
};

/** Ends an edit; `editText` catches it. */
export class RefusedEdit extends Error {
  readonly refusal: EditRefusal;
  constructor(refusal: EditRefusal) {
    super(refusal.reason);
    this.refusal = refusal;
  }
}

/** One item of a list, or one key of an object with its value. */
export type FileEntry = {
  /** Absent: an item of a list. */
  readonly key?: FileNode;
  readonly value: FileNode;
  /** Offset of its dash or its key; in brackets of the item itself. */
  readonly start: number;
  /** Offset behind its dash or colon, where the value may begin. */
  readonly valueFrom: number;
  /** Offset of the value's first character; `valueFrom` for an empty value. */
  readonly valueStart: number;
  /** Offset behind the last character of the value, without comments. */
  readonly end: number;
  readonly hasColon: boolean;
};

/** A list or an object, in lines or in brackets. */
export type FileCollection = {
  readonly file: EditableFile;
  readonly node: YAMLMap | YAMLSeq;
  readonly isList: boolean;
  readonly isFlow: boolean;
  readonly entries: readonly FileEntry[];
};

/** Where a path leads: the entry, and the lists and objects around it from the outside in. */
export type Located = {
  readonly around: readonly FileCollection[];
  readonly parent: FileCollection;
  readonly index: number;
  readonly entry: FileEntry;
};

export class EditableFile {
  readonly text: string;
  readonly root: FileNode;
  /** True if the file is JSON, and must stay JSON. */
  readonly isJson: boolean;
  /** Each path leads over the same lists: to work one out takes time for each of its entries. */
  readonly #collections = new Map<YAMLMap | YAMLSeq, FileCollection>();
  #lines: LineIndex | undefined;

  /**
   * Throws a RefusedEdit for text that does not parse, or that holds a second document.
   * @param text without a byte order mark
   */
  constructor(text: string) {
    this.text = text;
    if (text.length > maxFileLength) this.refuse('The file is larger than 1 MB');
    const composed = composeFile(text);
    if ('tooDeepAt' in composed) this.refuse(`Nested deeper than ${maxDepth} levels`, composed.tooDeepAt);
    const { documents, errors } = composed;
    const [document, second] = documents;
    const error = [...(document?.errors ?? []), ...errors][0];
    if (error !== undefined) this.refuse('The file has a mistake here: fix it first', error.pos[0]);
    if (second !== undefined) this.refuse('The file has a second document', second.range[0]);
    this.root = document?.contents ?? null;
    this.isJson = isJson(text);
  }

  refuse(reason: string, offset = 0, reads?: readonly NodeRead[]): never {
    throw new RefusedEdit({ reason, line: this.lineOf(offset), ...(reads && { reads }) });
  }

  /** Number of the line of an offset, from 1. */
  lineOf(offset: number): number {
    this.#lines ??= new LineIndex(this.text);
    return this.#lines.positionOf(offset).line;
  }

  /** The line break before an offset, so that new lines end like the line before. */
  lineBreakAt(offset: number): string {
    const before = this.text.lastIndexOf('\n', offset - 1);
    const at = before >= 0 ? before : this.text.indexOf('\n', offset);
    return at > 0 && this.text[at - 1] === '\r' ? '\r\n' : '\n';
  }

  lineStart(offset: number): number {
    return offset === 0 ? 0 : this.text.lastIndexOf('\n', offset - 1) + 1;
  }

  /** Offset of the end of the line, without its line break. */
  lineEnd(offset: number): number {
    const end = this.text.indexOf('\n', offset);
    if (end < 0) return this.text.length;
    return end > 0 && this.text[end - 1] === '\r' ? end - 1 : end;
  }

  column(offset: number): number {
    return offset - this.lineStart(offset);
  }

  /** Throws a RefusedEdit where the path leads nowhere, or over something whose meaning another line decides. */
  locate(path: Path): Located {
    const around: FileCollection[] = [];
    let node = this.root;
    let found: Located | undefined;
    for (const step of path) {
      const parent = this.#collection(node, path);
      const index = this.indexOf(parent, step);
      const entry = parent.entries[index];
      if (entry === undefined) this.refuse(`There is no ${describePath(path)}`, parent.node.range?.[0]);
      around.push(parent);
      found = { around: [...around], parent, index, entry };
      node = entry.value;
    }
    if (found === undefined) this.refuse('The whole file cannot be replaced by an edit');
    this.#checkPlain(found.entry.value);
    return found;
  }

  /** The offset of an item or key; of the deepest that exists for a path that leads further. */
  offsetOf(path: Path): number {
    for (let length = path.length; length > 0; length -= 1) {
      try {
        return this.locate(path.slice(0, length)).entry.start;
      } catch (error) {
        if (!(error instanceof RefusedEdit)) throw error;
      }
    }
    return 0;
  }

  /** The value at a path as JSON; undefined for what no JSON says in full, such as aliases and doubled keys. */
  jsonAt(path: Path): JsonValue | undefined {
    return jsonOf(path.length === 0 ? this.root : this.locate(path).entry.value);
  }

  /** The list or object at a path, with those around it. */
  collectionAt(path: Path): { readonly collection: FileCollection; readonly around: FileCollection[] } {
    const located = path.length === 0 ? undefined : this.locate(path);
    const around = [...(located?.around ?? [])];
    return { collection: this.#collection(located ? located.entry.value : this.root, path), around };
  }

  /** Index of a key or item; -1 if there is none. Throws a RefusedEdit for a key that stands twice. */
  indexOf({ entries, isList }: FileCollection, step: PathStep): number {
    if (isList) return typeof step === 'number' && step < entries.length ? step : -1;
    const index = entries.findIndex(({ key }) => keyText(key ?? null) === String(step));
    const second = entries.find(({ key }, other) => other > index && keyText(key ?? null) === String(step));
    if (index >= 0 && second)
      this.refuse(`The key ${JSON.stringify(String(step))} appears here twice`, second.start);
    return index;
  }

  #collection(node: FileNode, path: Path): FileCollection {
    this.#checkPlain(node);
    if (!isCollection(node)) this.refuse(`There is no ${describePath(path)}`, node?.range[0]);
    return this.collectionOf(node);
  }

  collectionOf(node: YAMLMap | YAMLSeq): FileCollection {
    const known = this.#collections.get(node);
    if (known !== undefined) return known;
    const entries = node.items.map((_, index) => this.#entryAt(node, index));
    const collection = { file: this, node, isList: !isMap(node), isFlow: node.flow === true, entries };
    this.#collections.set(node, collection);
    return collection;
  }

  #checkPlain(node: FileNode): void {
    if (isAlias(node)) this.refuse('An alias (*name) stands in the way', node.range[0]);
    if (node?.anchor !== undefined) this.refuse('An anchor (&name) stands in the way', node.range[0]);
    if (node?.tag !== undefined) this.refuse('A tag (!name) stands in the way', node.range[0]);
  }

  #entryAt(node: YAMLMap | YAMLSeq, index: number): FileEntry {
    const token = (node.srcToken as { readonly items?: CST.CollectionItem[] } | undefined)?.items?.[index];
    const item = node.items[index] as FilePair | FileNode;
    if (token === undefined) this.refuse('This list cannot be edited', node.range?.[0]);
    return this.#entry(token, isMap(node) ? (item as FilePair) : { value: item as FileNode });
  }

  #entry(token: CST.CollectionItem, { key, value }: { key?: FileNode; value: FileNode }): FileEntry {
    const { first, indicator } = tokensOf(token, key !== undefined);
    const start = firstDefined(first?.offset, key?.range[0], indicator?.offset, value?.range[0]);
    const valueFrom = indicator ? indicator.offset + 1 : firstDefined(key?.range[1], start);
    const range =
      value === null || isEmptyScalar(value)
        ? { valueStart: valueFrom, end: valueFrom }
        : { valueStart: value.range[0], end: this.endOf(value) };
    const hasColon = key !== undefined && indicator !== undefined;
    return { ...(key === undefined ? {} : { key }), value, start, valueFrom, ...range, hasColon };
  }

  /** Offset behind the last character of a value; blank lines behind it count only where they are part of it. */
  endOf(node: NonNullable<FileNode>): number {
    if (isCollection(node) && node.flow !== true) {
      // Only the last entry is worked out: all of them would take the time of the whole file for each list in it.
      if (node.items.length > 0) return this.#entryAt(node, node.items.length - 1).end;
    }
    const [start, end] = node.range;
    if (!isScalar(node) || !isBlockText(node)) return end;
    const written = this.text.slice(start, end);
    const isKeep = /^[|>][0-9]?\+/.test(written);
    return start + written.replace(isKeep ? /\r?\n$/ : /(?:\r?\n[ \t]*)+$/, '').length;
  }
}

/** The first token of an entry, and its dash or colon. */
function tokensOf({ start, sep }: CST.CollectionItem, isPair: boolean) {
  return {
    first: start.find(({ type }) => !blankTokens.has(type)),
    indicator: isPair
      ? sep?.find(({ type }) => type === 'map-value-ind')
      : start.find(({ type }) => type === 'seq-item-ind'),
  };
}

const isEmptyScalar = (node: NonNullable<FileNode>): boolean =>
  isScalar(node) && node.range[0] === node.range[1];

const firstDefined = (...offsets: readonly (number | undefined)[]): number =>
  offsets.find((offset) => offset !== undefined) ?? 0;

export const isBlockText = ({ type }: Scalar): boolean =>
  type === Scalar.BLOCK_LITERAL || type === Scalar.BLOCK_FOLDED;

const blankTokens: ReadonlySet<string> = new Set(['space', 'newline', 'comment', 'comma']);

export const describePath = (path: Path): string =>
  path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .replace(/^\./, '');

function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
