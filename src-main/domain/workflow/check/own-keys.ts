// Warnings about an idempotency key that several calls of a row would have: a service would take them for repeats of one.
import { writtenFields, type Fields } from '../../nodes/fields.ts';
import { idempotencyKeyHeader } from '../../upstream/header-problem.ts';
import type { FileProblem } from '../file-problem.ts';
import type { NodePath } from '../node-path.ts';
import { expressionsIn } from '../node-reads.ts';
import type { WorkflowNode } from '../workflow.ts';

type Placed = { readonly node: WorkflowNode; readonly path: NodePath };

export const keysOfSeveralCalls = (placed: readonly Placed[]): FileProblem[] =>
  placed.flatMap(({ node, path }) => {
    if (node.type !== 'http') return [];
    const { request, repeat } = node.config;
    const key = keyIn(request.headers);
    if (key === undefined) return [];
    const warning = (message: string): FileProblem => ({
      severity: 'warning',
      message,
      path: [...path, 'request', 'headers'],
    });
    const readsItem = expressionsIn(key).some(({ source }) => /\b(?:item|index)\b/.test(source));
    return [
      ...(node.each === undefined || readsItem ? [] : [warning(sameForItems)]),
      ...(repeat === undefined || keyIn(repeat.next?.headers) !== undefined ? [] : [warning(sameForRepeats)]),
    ];
  });

const keyIn = (headers: Fields | undefined) =>
  writtenFields(headers).find(([name]) => name === idempotencyKeyHeader)?.[1];

const sameForItems =
  'All items have the same idempotency key, so that a service takes their calls for repeats: put "item" or "index" into it';
const sameForRepeats =
  'All calls of "repeat" have the same idempotency key, so that a service takes them for repeats: set another one in "next.headers"';
