// Reads text as YAML with bounds on depth and on the number of errors. Who calls: readers and edits of files.
import { Composer, Lexer, Parser, type CST, type Document, type YAMLParseError } from 'yaml';
import { invariant } from '../../base/invariant.ts';
import { rememberLast } from '../../base/remember-last.ts';
import { maxIssues } from './issue.ts';

/** 1 MB: far more than a person writes; a file made to be hard takes seconds to check even so. */
export const maxFileLength = 1_000_000;

/** Levels of lists and objects; deeper ones come from mistakes or attacks, and reading calls itself for each. */
export const maxDepth = 100;

/**
 * Stops at the first place that is too deep: from there on only the reading itself would suffer. Stops as well where
 * there are more errors than a file may have issues.
 */
export function readTokens(text: string): CST.Token[] | { readonly tooDeepAt: number } {
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

/** The composed text of a file, or where it is nested too deeply. */
type ComposedFile = { readonly tooDeepAt: number } | (Composed & { readonly tokens: readonly CST.Token[] });

/** Maximum characters of a text that is remembered; tokens of a text that is hard to read take 400 bytes a character. */
const maxRememberedLength = 250_000;

const composeRemembered = rememberLast(composeText);

/** Reads a text; each node names its tokens. The check of a draft, its preview and its next edit share one reading. */
export const composeFile = (text: string): ComposedFile =>
  text.length > maxRememberedLength ? composeText(text) : composeRemembered(text);

function composeText(text: string): ComposedFile {
  const tokens = readTokens(text);
  return 'tooDeepAt' in tokens ? tokens : { tokens, ...compose(tokens, text.length, true) };
}

/** @param keepSourceTokens true if each node shall name the tokens that it was made of */
export function compose(tokens: readonly CST.Token[], length: number, keepSourceTokens = false): Composed {
  // Own check for keys that stand twice: the library compares every key with every other.
  const composer = new Composer({
    prettyErrors: false,
    uniqueKeys: false,
    stringKeys: true,
    version: '1.2',
    keepSourceTokens,
  });
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
