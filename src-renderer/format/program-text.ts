// Syntax colours for programs: keywords, strings, numbers and comments, one line at a time. A construct over several
// lines, such as a long comment, is coloured as code: a small loss that misleads no reader.
import { linesOf, restOfLine, shownLine, type CodeText, type Token, type TokenKind } from './code-text.ts';

export type ProgramLanguage = 'javascript' | 'python' | 'go' | 'shell';

const words: Record<ProgramLanguage, string> = {
  javascript:
    'async await break case catch class const continue default else export false finally for from function if import in instanceof let new null of return switch this throw true try typeof undefined while',
  python:
    'and as def elif else except False for from global if import in is lambda None not or pass raise return True try while with yield break continue',
  go: 'break case const continue defer else for func go if import interface map nil package range return string struct switch true false type var error int',
  shell: 'case do done elif else esac exit fi for function if in then trap until while return',
};

const wordSets = new Map<ProgramLanguage, ReadonlySet<string>>();

function wordsOf(language: ProgramLanguage): ReadonlySet<string> {
  const known = wordSets.get(language) ?? new Set(words[language].split(' '));
  wordSets.set(language, known);
  return known;
}

const lexeme =
  /(?<comment>\/\/.*|#.*)|(?<text>"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|`(?:[^`\\]|\\.)*`?)|(?<number>\b\d[\w.]*)|(?<name>[\p{L}_$][\p{L}\p{N}_$]*)|(?<mark>[{}()[\],;])|(?<rest>\s+|[\s\S])/gu;

/** One line of a program, cut into pieces. */
export function programTokens(line: string, language: ProgramLanguage): Token[] {
  const tokens: Token[] = [];
  const add = (kind: TokenKind, text: string): void => {
    const last = tokens.at(-1);
    if (last?.kind === kind) tokens[tokens.length - 1] = { kind, text: last.text + text };
    else tokens.push({ kind, text });
  };
  const hash = language === 'python' || language === 'shell';
  for (let at = 0; at < line.length;) {
    lexeme.lastIndex = at;
    const { groups = {}, 0: whole } = lexeme.exec(line) ?? { 0: line.slice(at) };
    const isComment = groups['comment'] !== undefined && whole.startsWith('#') === hash;
    const isStart = at === 0 || /\s/.test(line.charAt(at - 1));
    // A mark of another language's comments, or one inside a word, is only a letter.
    const text = groups['comment'] !== undefined && !(isComment && isStart) ? whole.charAt(0) : whole;
    add(text === whole ? kindOf(groups, language) : 'plain', text);
    at += text.length;
  }
  return tokens;
}

function kindOf(groups: Record<string, string | undefined>, language: ProgramLanguage): TokenKind {
  if (groups['name'] !== undefined) return wordsOf(language).has(groups['name']) ? 'word' : 'plain';
  const kind = (['comment', 'text', 'number', 'mark'] as const).find((name) => groups[name] !== undefined);
  return kind ?? 'plain';
}

export function programText(text: string, language: ProgramLanguage): CodeText {
  const lines = linesOf(text);
  return {
    count: lines.length,
    tokensOf: (at) => {
      const line = lines[at] ?? '';
      const rest = restOfLine(line);
      const tokens = programTokens(shownLine(line), language);
      return rest === undefined ? tokens : [...tokens, rest];
    },
  };
}
