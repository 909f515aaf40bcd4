// Reads the text of a workflow file: syntax, limits, and what YAML can do that a workflow file must not.
import { isAlias, isCollection, isMap, isScalar, Scalar, type Document } from 'yaml';
import { rememberLast } from '../../base/remember-last.ts';
import type { Position } from '../expressions/value.ts';
import { isExactInteger } from '../rows/exact-json.ts';
import { composeFile, maxDepth, maxFileLength } from './compose-file.ts';
import { FileDocument, keyText, type FileNode, type FilePair } from './file-document.ts';
import type { FileProblem, PathStep } from './file-problem.ts';
import { issueOfFile, type Issue, maxIssues } from './issue.ts';
import { LineIndex } from './line-index.ts';
import { syntaxIssues, quotesForIndicator } from './check/syntax-issues.ts';

export type ReadFile = {
  /** Absent where the text is not even YAML. */
  readonly document?: FileDocument;
  readonly issues: readonly Issue[];
  /** Issues of values that the file must not have, each with the problem that it was made of. */
  readonly refused?: readonly { readonly issue: Issue; readonly problem: FileProblem }[];
};

/** An editor asks for the outline, the issues and the preview of each text. */
export const readFile = rememberLast(readText);

function readText(source: string): ReadFile {
  const text = source.startsWith('\ufeff') ? source.slice(1) : source;
  if (text.length > maxFileLength) return { issues: [issueOfFile('The file is larger than 1 MB')] };
  const lines = new LineIndex(text);
  const issueAt = (message: string, offset: number): Issue => ({
    severity: 'error',
    message,
    ...lines.positionOf(offset),
  });
  const composed = composeFile(text);
  if ('tooDeepAt' in composed) {
    return { issues: [issueAt(`Nested deeper than ${maxDepth} levels`, composed.tooDeepAt)] };
  }
  const { tokens, documents, errors } = composed;
  const [document, second] = documents;
  const broken = syntaxIssues(text, tokens, document?.errors ?? errors).map(({ message, offset }) =>
    issueAt(message, offset),
  );
  if (document === undefined)
    return { issues: broken.length > 0 ? broken : [issueOfFile('The file is empty')] };
  if (broken.length > 0) return { issues: broken };
  const refused = findRefused(document, text).map(({ offset, ...problem }) => ({
    issue: issueAt(problem.message, offset),
    problem,
  }));
  const issues = refused.map(({ issue }) => issue);
  if (second !== undefined) {
    issues.push(issueAt('Only one document in a file: remove the line "---"', second.range[0]));
  }
  const directive = tokens.find((token) => token.type === 'directive');
  if (directive) issues.push(issueAt('YAML directives are not allowed here', directive.offset));
  if (document.contents === null) return { issues: [issueOfFile('The file is empty'), ...issues] };
  return { document: new FileDocument(text, document, lines), issues, refused };
}

/** The position of each path in the text, in order; the start of the text if it cannot be read. */
export function positionsOf(text: string, paths: readonly (readonly PathStep[])[]): readonly Position[] {
  const { document } = readFile(text);
  return paths.map((path) => document?.positionOf({ path }) ?? { line: 1, column: 1 });
}

// Finds YAML that a workflow file must not use: lines whose meaning another line decides (aliases, merge keys), names
// of types in the reader's language (tags), and values that would be lost as data (infinite numbers, integers that no double
// holds, duplicate keys).

/** A problem with its offset in the file. */
type RefusedProblem = FileProblem & { readonly offset: number };

/** The refused parts of a file, in its order. @param document at most as deep as a file may be @param text of the file */
function findRefused(document: Document.Parsed, text: string): RefusedProblem[] {
  const problems: RefusedProblem[] = [];
  visit(document.contents, [], ({ message, node, path, isIndicator = false }) => {
    if (problems.length > maxIssues) return;
    const at = node?.range[0] ?? 0;
    const fix = isIndicator ? quotesForIndicator(text, at) : undefined;
    const problem = { message, offset: at, ...fix, path };
    // A text such as "!a && b" is taken for a tag and for an anchor.
    if (!isIndicator || problems.at(-1)?.offset !== problem.offset) problems.push(problem);
  });
  return problems;
}

type Path = FileProblem['path'];
type Refused = {
  readonly message: string;
  readonly node: FileNode;
  readonly path: Path;
  /** True for an alias, an anchor or a tag: it may be meant as a text that begins with `*`, `&` or `!`. */
  readonly isIndicator?: boolean;
};
type Report = (refused: Refused) => void;

function visit(node: FileNode, path: Path, report: Report): void {
  if (node === null) return;
  const reportIndicator = (message: string): void => {
    report({ message, node, path, isIndicator: true });
  };
  if (isAlias(node)) return reportIndicator('Aliases (*name) are not allowed here: write the value again');
  if (node.anchor !== undefined) reportIndicator('Anchors (&name) are not allowed here');
  if (node.tag !== undefined) reportIndicator('Tags (!name) are not allowed here');
  const problem = isScalar(node) ? numberProblem(node) : undefined;
  if (problem !== undefined) report({ message: problem, node, path });
  if (isMap(node)) visitPairs(node.items, path, report);
  else if (isCollection(node))
    for (const [index, item] of node.items.entries()) visit(item, [...path, index], report);
}

function numberProblem(scalar: Scalar): string | undefined {
  if (typeof scalar.value === 'number' && !Number.isFinite(scalar.value)) return 'Numbers must be finite';
  const digits = inexactInteger(scalar);
  return digits === undefined ? undefined : `The number ${digits} loses digits: put quotes around it`;
}

/** Digits of a number without a point or an exponent that no double holds. */
function inexactInteger({ value, source }: Scalar): string | undefined {
  if (typeof value !== 'number' || source === undefined) return undefined;
  if (/^0[ox]/.test(source)) return BigInt(source) === BigInt(value) ? undefined : source;
  const [, digits] = /^\+?(-?\d+)$/.exec(source) ?? [];
  return digits === undefined || isExactInteger(digits.replace(/^(-?)0+(?=\d)/, '$1')) ? undefined : digits;
}

function visitPairs(pairs: readonly FilePair[], path: Path, report: Report): void {
  const seen = new Set<string>();
  for (const { key, value } of pairs) {
    const name = keyText(key);
    visit(key, path, report);
    if (seen.has(name))
      report({ message: `The key ${JSON.stringify(name)} appears here twice`, node: key, path });
    seen.add(name);
    if (name === '<<' && isScalar(key) && key.type === Scalar.PLAIN) {
      report({ message: 'Merge keys (<<) are not allowed here: write the values out', node: key, path });
    }
    visit(value, [...path, name], report);
  }
}
