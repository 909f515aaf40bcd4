// The files that a workflow, or its tests, name: they lie beside it, and an import takes them along.
import { rowsFileOf } from '../nodes/rows-source.ts';
import { targetOf } from '../nodes/catalogue.ts';
import type { TestCase } from '../tests/test-case.ts';
import type { Position } from '../expressions/value.ts';
import type { PathStep } from './file-problem.ts';
import { bodiesOf, everyNode } from './body.ts';
import { fileNodes, type NodesPath } from './node-path.ts';
import type { Workflow, WorkflowNode } from './workflow.ts';

export type NamedFile = Position & {
  /** Relative to the file that names it, with "/" and without "..". */
  readonly path: string;
  /** The key that names it: `table`, `testRows`, `rows` or `cassette`. */
  readonly key: string;
  /** True if no run can start without the file. */
  readonly isNeeded: boolean;
};

/** A file as it is named, before its position in the text is known. */
export type NamedPath = Omit<NamedFile, keyof Position> & { readonly at: readonly PathStep[] };

export const filesOfWorkflow = (workflow: Workflow): readonly NamedPath[] => [
  ...filesIn(workflow.nodes, fileNodes),
  ...bodiesOf(workflow).flatMap(({ nodes, workflow: body }) => filesIn(body.nodes, nodes)),
];

const filesIn = (nodes: readonly WorkflowNode[], list: NodesPath): readonly NamedPath[] =>
  nodes.flatMap((node, index) => {
    const named = namedBy(node);
    return named === undefined ? [] : [{ ...named, at: [...list, index, named.key] }];
  });

/** Paths of the files that it names, relative to its own. */
export const namedPaths = (workflow: Pick<Workflow, 'nodes'>): readonly string[] =>
  everyNode(workflow).flatMap((node) => namedBy(node)?.path ?? []);

function namedBy(node: WorkflowNode): Omit<NamedPath, 'at'> | undefined {
  const table = targetOf('lookup', node);
  if (table !== undefined) return { path: table.path, key: 'table', isNeeded: true };
  const testRows = node.type === 'input' ? rowsFileOf(node.config.testRows) : undefined;
  return testRows && { path: testRows.file, key: 'testRows', isNeeded: false };
}

export const filesOfTests = (tests: readonly TestCase[]): readonly NamedPath[] =>
  tests.flatMap(({ index, rows, cassette, expect }) => [
    ...('file' in rows
      ? [{ path: rows.file, key: 'rows', isNeeded: true, at: ['tests', index, 'rows'] }]
      : []),
    ...(typeof expect.rows === 'string'
      ? [{ path: expect.rows, key: 'rows', isNeeded: true, at: ['tests', index, 'expect', 'rows'] }]
      : []),
    // It may have to be recorded first.
    ...(cassette === undefined
      ? []
      : [{ path: cassette, key: 'cassette', isNeeded: false, at: ['tests', index, 'cassette'] }]),
  ]);

/** Message about a named file that cannot be used, for the place that names it. */
export const missingFile = ({ key, path }: NamedFile, problem: string): string =>
  `${key}: ${path} ${problem}`;
