// Broken YAML in words that name the fix. The library says what its grammar expected; an author needs to know that a
// text wants quotes, or which bracket or quote was never closed. Who calls: read-file.ts.
import type { CST, YAMLParseError } from 'yaml';
import type { CodeProblem } from '../expressions/code-problem.ts';

/**
 * The problems of a text that is not YAML, with offsets in the text. A line whose mistake is known is named once,
 * however many errors follow from it; what follows from an unclosed bracket or quote is left out.
 */
export function syntaxIssues(
  text: string,
  tokens: readonly CST.Token[],
  errors: readonly YAMLParseError[],
): CodeProblem[] {
  const unclosed = findUnclosed(tokens);
  const own = errors
    .map(({ message, pos }) => ({ message, offset: pos[0] }))
    .filter(({ offset }) => unclosed === undefined || offset < unclosed.offset);
  const problems: CodeProblem[] = [];
  const explainedLines = new Set<number>();
  for (const problem of unclosed === undefined ? own : [...own, unclosed]) {
    const start = text.lastIndexOf('\n', problem.offset - 1) + 1;
    const explained = missingQuotes(lineAt(text, start), start);
    if (explained === undefined) problems.push(problem);
    else if (!explainedLines.has(start)) problems.push(explained);
    if (explained !== undefined) explainedLines.add(start);
  }
  return problems;
}

/** Characters of a line that are looked at for each error; patterns take longer than the line is long. */
const maxLineLength = 1000;

function lineAt(text: string, start: number): string {
  const end = text.indexOf('\n', start);
  return text.slice(start, Math.min(end < 0 ? text.length : end, start + maxLineLength)).replace(/\r$/, '');
}

/** The innermost bracket or quote that is open at the end: closing it is the likely fix, its place the likely mistake. */
function findUnclosed(tokens: readonly CST.Token[]): CodeProblem | undefined {
  let found: CodeProblem | undefined;
  const open = (token: CST.Token | null | undefined): void => {
    if (token === null || token === undefined) return;
    if (token.type === 'flow-collection') {
      const [bracket, closing] = token.start.source === '{' ? ['{', '}'] : ['[', ']'];
      if (!token.end.some(({ source }) => source === closing))
        found = { message: `This "${bracket}" is never closed with "${closing}"`, offset: token.offset };
    }
    if (isUnclosedQuote(token)) {
      found = { message: `This ${token.source.charAt(0)} is never closed`, offset: token.offset };
    }
    if (token.type === 'document') open(token.value);
    if ('items' in token) {
      for (const item of token.items) {
        if ('key' in item) open(item.key);
        if ('value' in item) open(item.value);
      }
    }
  };
  for (const token of tokens) open(token);
  return found;
}

const isUnclosedQuote = (token: CST.Token): token is CST.FlowScalar =>
  (token.type === 'single-quoted-scalar' || token.type === 'double-quoted-scalar') &&
  (token.source.length < 2 || !token.source.endsWith(token.source.charAt(0)));

/** The dashes and the key before a value on the same line. */
const beforeValue = /^\s*(?:-\s+)*(?:(?:"[^"]*"|'[^']*'|[\w][^:#"'{}[\],]*?)\s*:\s+)?/;
/** Characters that a text without quotes cannot begin with, since YAML gives them a meaning or keeps them for one. */
const reserved = /^[@`%]/;
/** Longer lines are named without the line as it should be. */
const maxQuoted = 160;

/** The value on the line as text that lacks its quotes; undefined where that is not what is wrong. */
function missingQuotes(line: string, lineStart: number): CodeProblem | undefined {
  const before = beforeValue.exec(line)?.[0] ?? '';
  const value = line
    .slice(before.length)
    .replace(/\s+#.*$/, '')
    .trimEnd();
  const offset = lineStart + before.length;
  const key = before.replace(/^\s*(?:-\s+)*/, '').trim();
  if (/^[[{]/.test(value) && !value.startsWith('{{')) return missingQuotesWithin(value, offset);
  if (/^["'|>&*!]/.test(value) || value === '') return undefined;
  const reason = reasonForQuotes(value);
  return reason === undefined
    ? undefined
    : { message: fix(reason, `${key === '' ? '' : `${key} `}${quoted(value)}`), offset };
}

/** The first `{{ … }}` without quotes inside of a list or object that is written on one line. */
function missingQuotesWithin(value: string, offset: number): CodeProblem | undefined {
  const bare = /"(?:[^"\\]|\\.)*"|'[^']*'|(\{\{.*?\}\})/g;
  for (const match of value.matchAll(bare)) {
    if (match[1] !== undefined)
      return { message: fix('Text with {{ }}', quoted(match[1])), offset: offset + match.index };
  }
  return undefined;
}

function reasonForQuotes(value: string): string | undefined {
  if (value.includes('{{')) return 'Text with {{ }}';
  if (/:\s/.test(value) || value.endsWith(':')) return 'Text with ": "';
  return reserved.test(value) ? `Text that begins with "${value.charAt(0)}"` : undefined;
}

const fix = (reason: string, corrected: string): string =>
  corrected.length > maxQuoted
    ? `${reason} needs quotes around all of it`
    : `${reason} needs quotes: ${corrected}`;

function quoted(value: string): string {
  if (!/["\\]/.test(value)) return `"${value}"`;
  return value.includes("'") ? JSON.stringify(value) : `'${value}'`;
}
