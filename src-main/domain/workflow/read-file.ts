// Reads the text of a workflow file: syntax, limits, and what YAML can do that a workflow file must not.
import { rememberLast } from '../../base/remember-last.ts';
import type { Position } from '../expressions/value.ts';
import { composeFile, maxDepth, maxFileLength } from './compose-file.ts';
import { FileDocument } from './file-document.ts';
import type { PathStep } from './file-problem.ts';
import { findRefused } from './find-refused.ts';
import { issueOfFile, type Issue } from './issue.ts';
import { LineIndex } from './line-index.ts';
import { syntaxIssues } from './syntax-issues.ts';

export type ReadFile = {
  /** Absent where the text is not even YAML. */
  readonly document?: FileDocument;
  readonly issues: readonly Issue[];
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
  const refused = findRefused(document).map(({ message, offset }) => issueAt(message, offset));
  if (second !== undefined) {
    refused.push(issueAt('Only one document in a file: remove the line "---"', second.range[0]));
  }
  const directive = tokens.find((token) => token.type === 'directive');
  if (directive) refused.push(issueAt('YAML directives are not allowed here', directive.offset));
  if (document.contents === null) return { issues: [issueOfFile('The file is empty'), ...refused] };
  return { document: new FileDocument(text, document, lines), issues: refused };
}

/** The position of each path in the text, in order; the start of the text if it cannot be read. */
export function positionsOf(text: string, paths: readonly (readonly PathStep[])[]): readonly Position[] {
  const { document } = readFile(text);
  return paths.map((path) => document?.positionOf({ path }) ?? { line: 1, column: 1 });
}
