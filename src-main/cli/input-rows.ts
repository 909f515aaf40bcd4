import { dirname, resolve } from 'node:path';
import { AppError } from '../base/app-error.ts';
import { invariant } from '../base/invariant.ts';
import type { NodeOf, Workflow } from '../domain/workflow/workflow.ts';
import { readRows } from './read-rows.ts';

/** Where a run's rows come from: the workflow, its file's path, and the file that the user named, if any. */
export type RowChoice = {
  readonly workflow: Workflow;
  readonly file: string;
  readonly rows: string | undefined;
  readonly signal?: AbortSignal;
};

/**
 * The rows named by the user, else the test rows of the input node: an inline list, or a file beside the
 * workflow. Throws `invalid_input` when there are neither.
 */
export function inputRows({ workflow, file, rows, signal }: RowChoice): AsyncIterable<Uint8Array> {
  const { fields = [], testRows } = inputNode(workflow).config;
  const wanted = { types: new Map(fields.map(([name, { type }]) => [name, type])), signal };
  if (rows !== undefined) return readRows(rows, wanted);
  if (typeof testRows === 'string') return readRows(resolve(dirname(file), testRows), wanted);
  if (testRows !== undefined) return inlineRows(testRows);
  throw new AppError(
    'invalid_input',
    `"${workflow.id}" has no test rows: name a file of rows with --rows FILE, or - for standard input`,
  );
}

function inputNode(workflow: Workflow): NodeOf<'input'> {
  const node = workflow.nodes.find((candidate) => candidate.type === 'input');
  invariant(node !== undefined, 'a valid workflow has an input node');
  return node;
}

async function* inlineRows(rows: readonly unknown[]): AsyncGenerator<Uint8Array> {
  for (const row of rows) yield Buffer.from(`${JSON.stringify(row)}\n`, 'utf8');
}
