// Reads the text of a workflow file: syntax, limits, and what YAML can do that a workflow file must not.
import { Composer, Lexer, Parser, type CST, type Document, type YAMLParseError } from 'yaml';
import { invariant } from '../../base/invariant.ts';
import type { Position } from '../expressions/value.ts';
import { FileDocument } from './file-document.ts';
import type { PathStep } from './file-problem.ts';
import { findRefused } from './find-refused.ts';
import { maxIssues, type Issue } from './issue.ts';
import { LineIndex } from './line-index.ts';
import { syntaxIssues } from './syntax-issues.ts';

/** 1 MB: far more than a person writes; a file made to be hard takes seconds to check even so. */
const maxFileLength = 1_000_000;

/** Levels of lists and objects; deeper ones come from mistakes or attacks, and reading calls itself for each. */
const maxDepth = 100;

export type ReadFile = {
  /** Absent where the text is not even YAML. */
  readonly document?: FileDocument;
  readonly issues: readonly Issue[];
};

export function readFile(source: string): ReadFile {
  const text = source.startsWith('\ufeff') ? source.slice(1) : source;
  if (text.length > maxFileLength) return { issues: [topIssue('The file is larger than 1 MB')] };
  const lines = new LineIndex(text);
  const issueAt = (message: string, offset: number): Issue => ({
    severity: 'error',
    message,
    ...lines.positionOf(offset),
  });
  const tokens = readTokens(text);
  if ('tooDeepAt' in tokens) {
    return { issues: [issueAt(`Nested deeper than ${maxDepth} levels`, tokens.tooDeepAt)] };
  }
  const { documents, errors } = compose(tokens, text.length);
  const [document, second] = documents;
  const broken = syntaxIssues(text, tokens, document?.errors ?? errors).map(({ message, offset }) =>
    issueAt(message, offset),
  );
  if (document === undefined) return { issues: broken.length > 0 ? broken : [topIssue('The file is empty')] };
  if (broken.length > 0) return { issues: broken };
  const refused = findRefused(document).map(({ message, offset }) => issueAt(message, offset));
  if (second !== undefined) {
    refused.push(issueAt('Only one document in a file: remove the line "---"', second.range[0]));
  }
  const directive = tokens.find((token) => token.type === 'directive');
  if (directive) refused.push(issueAt('YAML directives are not allowed here', directive.offset));
  if (document.contents === null) return { issues: [topIssue('The file is empty'), ...refused] };
  return { document: new FileDocument(text, document, lines), issues: refused };
}

/** The position of each path in the text, in order; the start of the text if it cannot be read. */
export function positionsOf(text: string, paths: readonly (readonly PathStep[])[]): readonly Position[] {
  const { document } = readFile(text);
  return paths.map((path) => document?.positionOf({ path }) ?? { line: 1, column: 1 });
}

const topIssue = (message: string): Issue => ({ severity: 'error', message, line: 1, column: 1 });

/**
 * Stops at the first place that is too deep: from there on only the reading itself would suffer. Stops as well where
 * there are more errors than a file may have issues.
 */
function readTokens(text: string): CST.Token[] | { readonly tooDeepAt: number } {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  let errors = 0;
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) {
      tokens.push(token);
      if (token.type === 'error') errors += 1;
    }
    if (errors > maxIssues) return tokens;
    // The document itself is the bottom of the parser's stack, and a scalar under way may be its top.
    if (parser.stack.length > maxDepth + 2) return { tooDeepAt: parser.offset };
  }
  for (const token of parser.end()) tokens.push(token);
  return tokens;
}

type Composed = {
  /** Two at most; none where composing stopped. */
  readonly documents: readonly Document.Parsed[];
  /** Why composing stopped; otherwise the errors are those of the document. */
  readonly errors: readonly YAMLParseError[];
};

function compose(tokens: readonly CST.Token[], length: number): Composed {
  // Own check for keys that stand twice: the library compares every key with every other.
  const composer = new Composer({ prettyErrors: false, uniqueKeys: false, stringKeys: true, version: '1.2' });
  stopAtMaxErrors(composer);
  const documents: Document.Parsed[] = [];
  try {
    for (const document of composer.compose(tokens, true, length)) {
      documents.push(document);
      if (documents.length > 1) break;
    }
    return { documents, errors: [] };
  } catch (error) {
    if (!(error instanceof TooManyErrors)) throw error;
    return { documents: [], errors: composer.streamInfo().errors };
  }
}

class TooManyErrors extends Error {}

/**
 * Ends composing by a TooManyErrors once there are more errors than a file may have issues: each takes time and memory,
 * and a megabyte can hold a million. The library has no option for it, so the function that it reports with is replaced.
 */
function stopAtMaxErrors(composer: Composer): void {
  const report: unknown = Reflect.get(composer, 'onError');
  invariant(typeof report === 'function', 'the YAML composer reports its errors to onError');
  let errors = 0;
  const count = (...args: [source: unknown, code: unknown, message: unknown, isWarning?: boolean]): void => {
    // Nothing shows warnings.
    if (args[3] === true) return;
    errors += 1;
    // The library reports what is thrown inside it once more, and that must be thrown again.
    if (errors > maxIssues + 1) throw new TooManyErrors();
    Reflect.apply(report, composer, args);
  };
  Reflect.set(composer, 'onError', count);
}
