// Syntax colours for workflow files: YAML, and JSON as its subset. Not a parser: the server reports errors, and the
// colours need only look right, in invalid files too. The colours of a line depend only on how the line before it
// ended, so that lines far down are coloured only when they are shown.
import { linesOf, restOfLine, shownLine, type CodeText, type Token, type TokenKind } from './code-text.ts';
import { LineStates, type LineLexer } from './line-states.ts';
import { programTokens } from './program-text.ts';

/** How a line begins, as the lines before it have left it. */
export type YamlState =
  | { readonly kind: 'flow'; readonly depth: number }
  /** A text over several lines, indented by more than `indent`. */
  | { readonly kind: 'block'; readonly indent: number; readonly isProgram: boolean }
  | { readonly kind: 'quoted'; readonly quote: '"' | "'"; readonly depth: number };

type Lexed = { readonly tokens: readonly Token[]; readonly next: YamlState };

const start: YamlState = { kind: 'flow', depth: 0 };

/** Lexer of workflow files, for a text that changes. */
export const yamlLexer: LineLexer<YamlState> = {
  start,
  next: (line, state) => lexLine(shownLine(line), state).next,
  isSame: isSameState,
};

/** Lexer of one value that is edited apart from its file: a text with expressions, or a program. */
export const valueLexer = (isProgram: boolean): LineLexer<YamlState> => ({
  ...yamlLexer,
  start: { kind: 'block', indent: -1, isProgram },
});

/** Tokens of the shown part of a line. */
export const yamlTokens = (line: string, state: YamlState): readonly Token[] =>
  lexLine(shownLine(line), state).tokens;

/** A workflow file to look at. */
export function yamlText(text: string, lexer = yamlLexer): CodeText {
  const lines = linesOf(text);
  const states = new LineStates(lexer, lines.length);
  const lineAt = (at: number): string => lines[at] ?? '';
  return {
    count: lines.length,
    tokensOf: (at) => {
      const line = lineAt(at);
      const rest = restOfLine(line);
      const tokens = yamlTokens(line, states.at(at, lineAt));
      return rest === undefined ? tokens : [...tokens, rest];
    },
  };
}

function isSameState(one: YamlState, other: YamlState): boolean {
  if (one.kind === 'block')
    return other.kind === 'block' && one.indent === other.indent && one.isProgram === other.isProgram;
  if (one.kind === 'quoted')
    return other.kind === 'quoted' && one.quote === other.quote && one.depth === other.depth;
  return other.kind === 'flow' && one.depth === other.depth;
}

function lexLine(line: string, state: YamlState): Lexed {
  if (state.kind === 'block') {
    if (line.trim() === '' || indentOf(line) > state.indent)
      return { tokens: blockTokens(line, state), next: state };
    return new YamlLine(line, 0).lex();
  }
  return state.kind === 'quoted'
    ? new YamlLine(line, state.depth).lexFrom(state.quote)
    : new YamlLine(line, state.depth).lex();
}

const indentOf = (line: string): number => line.length - line.trimStart().length;

const blockTokens = (line: string, { isProgram }: Extract<YamlState, { kind: 'block' }>): readonly Token[] =>
  isProgram ? programTokens(line, 'javascript') : withExpressions(line, 'text');

/** Text with its `{{ ... }}` apart. */
function withExpressions(text: string, kind: TokenKind): Token[] {
  if (/^["']?=/.test(text)) return [{ kind: 'expression', text }];
  return text
    .split(/(\{\{.*?\}\})/)
    .filter((part) => part !== '')
    .map((part) => ({ kind: part.startsWith('{{') ? 'expression' : kind, text: part }));
}

const plainNumber = /^[-+]?(\d[\d_]*)?\.?\d+([eE][-+]?\d+)?$/;
const plainWord = /^(true|false|null|~)$/i;

class YamlLine {
  readonly #line: string;
  readonly #tokens: Token[] = [];
  #at = 0;
  /** Brackets that are open. */
  #depth: number;
  /** Where the last key of the line began: what is indented further belongs to it. */
  #keyAt = 0;
  #key = '';
  #next: YamlState | undefined;

  constructor(line: string, depth: number) {
    this.#line = line;
    this.#depth = depth;
    this.#keyAt = indentOf(line);
  }

  lex(): Lexed {
    while (this.#at < this.#line.length) this.#lexOne();
    return { tokens: this.#tokens, next: this.#next ?? { kind: 'flow', depth: this.#depth } };
  }

  /** For a line that begins inside a quoted text. */
  lexFrom(quote: '"' | "'"): Lexed {
    this.#take('text', this.#endOfQuoted(0, quote));
    return this.lex();
  }

  #lexOne(): void {
    const { 0: space = '' } = /^\s+/.exec(this.#rest()) ?? {};
    if (space !== '') return this.#take('plain', this.#at + space.length);
    const char = this.#line.charAt(this.#at);
    const isApart = this.#at === 0 || /\s/.test(this.#line.charAt(this.#at - 1));
    if (char === '#' && isApart) return this.#take('comment', this.#line.length);
    if (char === '"' || char === "'") return this.#lexQuoted(char);
    if (this.#isMark(char)) return this.#lexMark(char);
    return this.#lexPlain();
  }

  #isMark(char: string): boolean {
    if (char === '{' || char === '[') return true;
    if (this.#depth > 0 && /[}\],]/.test(char)) return true;
    return (char === '-' || char === ':') && /^.(\s|$)/.test(this.#rest());
  }

  #lexMark(char: string): void {
    if (char === '{' || char === '[') this.#depth += 1;
    else if (char === '}' || char === ']') this.#depth -= 1;
    else if (char === '-') this.#keyAt = this.#at;
    this.#take('mark', this.#at + 1);
  }

  #lexQuoted(quote: '"' | "'"): void {
    const from = this.#at;
    const end = this.#endOfQuoted(from + 1, quote);
    if (/^\s*:(\s|$|["'{[])/.test(this.#line.slice(end)) && this.#next === undefined)
      return this.#takeKey(end);
    for (const { kind, text } of withExpressions(this.#line.slice(from, end), 'text'))
      this.#take(kind, this.#at + text.length);
  }

  /** Behind the closing quote, or the line's end with the rest to come. */
  #endOfQuoted(from: number, quote: '"' | "'"): number {
    for (let at = from; at < this.#line.length; at += 1) {
      const char = this.#line.charAt(at);
      if (quote === '"' && char === '\\') at += 1;
      else if (char === quote && quote === "'" && this.#line.charAt(at + 1) === quote) at += 1;
      else if (char === quote) return at + 1;
    }
    this.#next = { kind: 'quoted', quote, depth: this.#depth };
    return this.#line.length;
  }

  #lexPlain(): void {
    const end = this.#endOfPlain();
    const text = this.#line.slice(this.#at, end);
    if (/^\s*:(\s|$)/.test(this.#line.slice(end))) return this.#takeKey(end);
    if (/^[|>][-+\d]*$/.test(text) && this.#depth === 0) {
      this.#next = { kind: 'block', indent: this.#keyAt, isProgram: this.#key === 'code' };
      return this.#take('mark', end);
    }
    if (plainNumber.test(text)) return this.#take('number', end);
    if (plainWord.test(text)) return this.#take('word', end);
    for (const part of withExpressions(text, 'plain')) this.#take(part.kind, this.#at + part.text.length);
  }

  #endOfPlain(): number {
    const endOfPlain = this.#depth > 0 ? /:(?=\s|$)|\s#|[,{}[\]]/ : /:(?=\s|$)|\s#/;
    const found = endOfPlain.exec(this.#rest().slice(1));
    const end = found === null ? this.#line.length : this.#at + 1 + found.index;
    return this.#at + this.#line.slice(this.#at, end).trimEnd().length;
  }

  #takeKey(end: number): void {
    this.#keyAt = this.#at;
    this.#key = this.#line.slice(this.#at, end);
    this.#take('key', end);
  }

  #take(kind: TokenKind, end: number): void {
    if (end > this.#at) this.#tokens.push({ kind, text: this.#line.slice(this.#at, end) });
    this.#at = end;
  }

  #rest(): string {
    return this.#line.slice(this.#at);
  }
}
