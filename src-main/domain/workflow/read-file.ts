// Reads the text of a workflow file: syntax, limits, and what YAML can do that a workflow file must not.
import { Composer, Lexer, Parser, type CST, type Document } from 'yaml';
import { FileDocument } from './file-document.ts';
import { findRefused } from './find-refused.ts';
import type { Issue } from './issue.ts';
import { LineIndex } from './line-index.ts';

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
  const [document, second] = compose(tokens, text.length);
  if (document === undefined) return { issues: [topIssue('The file is empty')] };
  const refused = findRefused(document).map(({ message, offset }) => issueAt(message, offset));
  if (second !== undefined) {
    refused.push(issueAt('Only one document in a file: remove the line "---"', second.range[0]));
  }
  const directive = tokens.find((token) => token.type === 'directive');
  if (directive) refused.push(issueAt('YAML directives are not allowed here', directive.offset));
  const broken = document.errors.map((error) => issueAt(error.message, error.pos[0]));
  if (broken.length > 0) return { issues: [...broken, ...refused] };
  if (document.contents === null) return { issues: [topIssue('The file is empty'), ...refused] };
  return { document: new FileDocument(text, document, lines), issues: refused };
}

const topIssue = (message: string): Issue => ({ severity: 'error', message, line: 1, column: 1 });

/** Stops at the first place that is too deep: from there on only the reading itself would suffer. */
function readTokens(text: string): CST.Token[] | { readonly tooDeepAt: number } {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) tokens.push(token);
    // The document itself is the bottom of the parser's stack, and a scalar under way may be its top.
    if (parser.stack.length > maxDepth + 2) return { tooDeepAt: parser.offset };
  }
  for (const token of parser.end()) tokens.push(token);
  return tokens;
}

function compose(tokens: readonly CST.Token[], length: number): Document.Parsed[] {
  // Own check for keys that stand twice: the library compares every key with every other.
  const composer = new Composer({ prettyErrors: false, uniqueKeys: false, stringKeys: true, version: '1.2' });
  return [...composer.compose(tokens, true, length)] as Document.Parsed[];
}
