// The files that a workflow, or its tests, name: they lie beside it, and an import takes them along.
import type { TestCase } from '../tests/test-case.ts';
import type { Position } from '../expressions/value.ts';
import { readFile } from './read-file.ts';
import type { FileProblem, PathStep } from './file-problem.ts';
import type { Workflow, WorkflowNode } from './workflow.ts';

export type NamedFile = Position & {
  /** Relative to the file that names it, with "/" and without "..". */
  readonly path: string;
  /** What it is for, as the file's key says it. */
  readonly key: string;
  /** Whether nothing can run without it. */
  readonly isNeeded: boolean;
};

type Naming = Omit<NamedFile, keyof Position> & { readonly at: readonly PathStep[] };

/** @param text the file of that very workflow */
export const filesOfWorkflow = (text: string, { nodes }: Workflow): readonly NamedFile[] =>
  located(
    text,
    nodes.flatMap((node, index) => {
      const named = namedBy(node);
      return named === undefined ? [] : [{ ...named, at: ['nodes', index, named.key] }];
    }),
  );

/** Paths of the files that it names, relative to its own. */
export const namedPaths = ({ nodes }: Pick<Workflow, 'nodes'>): readonly string[] =>
  nodes.flatMap((node) => namedBy(node)?.path ?? []);

function namedBy(node: WorkflowNode): Omit<Naming, 'at'> | undefined {
  if (node.type === 'lookup') return { path: node.config.table, key: 'table', isNeeded: true };
  if (node.type !== 'input' || typeof node.config.testRows !== 'string') return undefined;
  return { path: node.config.testRows, key: 'testRows', isNeeded: false };
}

/** @param text the file of those very tests */
export const filesOfTests = (text: string, tests: readonly TestCase[]): readonly NamedFile[] =>
  located(
    text,
    tests.flatMap(({ index, rows, cassette, expect }) => [
      ...(typeof rows === 'string'
        ? [{ path: rows, key: 'rows', isNeeded: true, at: ['tests', index, 'rows'] }]
        : []),
      ...(typeof expect.rows === 'string'
        ? [{ path: expect.rows, key: 'rows', isNeeded: true, at: ['tests', index, 'expect', 'rows'] }]
        : []),
      // It may have to be recorded first.
      ...(cassette === undefined
        ? []
        : [{ path: cassette, key: 'cassette', isNeeded: false, at: ['tests', index, 'cassette'] }]),
    ]),
  );

function located(text: string, named: readonly Naming[]): NamedFile[] {
  if (named.length === 0) return [];
  const { document } = readFile(text);
  return named.map(({ at, ...file }) => ({ ...file, ...positionIn(document, at) }));
}

const positionIn = (document: ReturnType<typeof readFile>['document'], path: FileProblem['path']): Position =>
  document?.positionOf({ path }) ?? { line: 1, column: 1 };

/** What is said of a named file that cannot be used, where it is named. */
export const missingFile = ({ key, path }: NamedFile, problem: string): string =>
  `${key}: ${path} ${problem}`;
