// The data of a file in a form that two texts can be compared by: with the order of keys, and with all that a
// plain object would lose (doubled keys, aliases, tags). An edit is checked against it, see edit-text.ts.
import { isAlias, isCollection, isMap, isScalar, type Pair } from 'yaml';
import { isSameJson, type JsonValue } from '../../../base/json-value.ts';
import { keyText, type FileNode } from '../../workflow/file-document.ts';

export type FileData =
  | string
  | number
  | boolean
  | null
  | { readonly list: readonly FileData[] }
  | { readonly pairs: readonly (readonly [key: string, value: FileData])[] }
  /** Something that no JSON is: an alias, an infinite number. */
  | { readonly written: string }
  | { readonly mark: string; readonly marked: FileData };

export function dataOf(node: FileNode): FileData {
  if (node === null) return null;
  if (isAlias(node)) return { written: `*${node.source}` };
  const mark = [node.anchor && `&${node.anchor}`, node.tag && `!${node.tag}`].filter(Boolean).join(' ');
  return mark ? { mark, marked: contentOf(node) } : contentOf(node);
}

function contentOf(node: NonNullable<FileNode>): FileData {
  if (isMap(node)) {
    return {
      pairs: (node.items as Pair<FileNode, FileNode>[]).map((pair) => [
        keyText(pair.key),
        dataOf(pair.value),
      ]),
    };
  }
  if (isCollection(node)) return { list: node.items.map((item) => dataOf(item as FileNode)) };
  if (!isScalar(node)) return null;
  const value = node.value as string | number | bigint | boolean | null;
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  return typeof value === 'number' && Number.isFinite(value) ? value : { written: String(value) };
}

export function dataOfJson(json: JsonValue): FileData {
  if (Array.isArray(json)) return { list: json.map(dataOfJson) };
  if (typeof json !== 'object' || json === null) return json;
  return { pairs: Object.entries(json).map(([key, value]) => [key, dataOfJson(value)]) };
}

/** A value as JSON; undefined where JSON cannot say all that is there. */
export function jsonOf(node: FileNode): JsonValue | undefined {
  const json = toJson(dataOf(node));
  return json !== undefined && isSameJson(dataOfJson(json), dataOf(node)) ? json : undefined;
}

function toJson(data: FileData): JsonValue | undefined {
  if (typeof data !== 'object' || data === null) return data;
  if ('list' in data) {
    const items = data.list.map(toJson);
    return items.every((item) => item !== undefined) ? items : undefined;
  }
  if (!('pairs' in data)) return undefined;
  const pairs = data.pairs.map(([key, value]) => [key, toJson(value)] as const);
  return pairs.every(([, value]) => value !== undefined)
    ? (Object.fromEntries(pairs) as JsonValue)
    : undefined;
}
