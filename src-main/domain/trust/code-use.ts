import type { Expression } from '../expressions/value.ts';
import { isExpression, parsedFields } from '../workflow/node-reads.ts';
import type { WorkflowNode } from '../workflow/workflow.ts';

export type CodeUse = {
  readonly nodeId: string;
  /** Line of the node in the file, from 1. */
  readonly line: number;
  /** Where in the node: `when`, `values.host`, `code`. */
  readonly keyPath: string;
  /** As its author wrote it. */
  readonly source: string;
};

/** `row.tags[0].name`, `nodes.lead?.host`: looks something up and computes nothing. */
const path = /^\s*[A-Za-z_$][\w$]*(\s*(\?\.|\.)\s*[A-Za-z_$][\w$]*|\[\d+\]|\['[^'\\]*'\]|\["[^"\\]*"\])*\s*$/;

/** The node's code, paths left out. */
export function codeOf(node: WorkflowNode): CodeUse[] {
  return expressionsIn(parsedFields(node), [])
    .filter(({ expression }) => expression.kind === 'body' || !path.test(expression.source))
    .map(({ keyPath, expression }) => ({
      nodeId: node.id,
      line: node.line,
      keyPath: keyPath.join('.'),
      source: expression.source,
    }));
}

type Found = { readonly keyPath: readonly string[]; readonly expression: Expression };

function expressionsIn(part: unknown, keyPath: readonly string[]): Found[] {
  if (typeof part !== 'object' || part === null) return [];
  if (Array.isArray(part))
    return part.flatMap((item, index) => expressionsIn(...inList(item, index, keyPath)));
  if (isExpression(part)) return [{ keyPath, expression: part }];
  if (isTemplate(part)) return part.parts.flatMap((inside) => expressionsIn(inside, keyPath));
  // A literal is the author's data, whatever it looks like.
  if ('kind' in part && part.kind === 'literal') return [];
  return Object.entries(part).flatMap(([key, inside]) =>
    expressionsIn(inside, isWrapper(part, key) ? keyPath : [...keyPath, key]),
  );
}

/** An object or a list of values holds them under a key that the file does not have. */
const isWrapper = (part: object, key: string): boolean =>
  'kind' in part &&
  ((part.kind === 'list' && key === 'items') || (part.kind === 'object' && key === 'entries'));

const isTemplate = (part: object): part is { readonly parts: readonly unknown[] } =>
  'kind' in part && part.kind === 'template' && 'parts' in part && Array.isArray(part.parts);

/** Names with values are lists of pairs: they go by their name, everything else by its number. */
const inList = (item: unknown, index: number, keyPath: readonly string[]): [unknown, string[]] =>
  Array.isArray(item) && typeof item[0] === 'string'
    ? [item[1] as unknown, [...keyPath, item[0]]]
    : [item, [...keyPath, String(index)]];
