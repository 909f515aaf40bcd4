// Broken YAML in words that name the fix. The library says what its grammar expected; an author needs to know that a
// text wants quotes, or which bracket or quote was never closed. Who calls: read-file.ts.
import type { CST, YAMLParseError } from 'yaml';
import type { CodeProblem } from '../../expressions/code-problem.ts';
import { lineSlip } from './line-slips.ts';

/**
 * The mistake behind an error of the YAML library. A mistake in a value (`line`) causes more errors on its line only;
 * one of the structure, or inside { } or [ ] (`flow`), causes them down to the end of the file.
 */
type Found = CodeProblem & { readonly kind: 'line' | 'flow' | 'structure' };

/**
 * The problems of a text that is not YAML, with offsets in the text. Each mistake is named once: what follows from a
 * mistake of the structure, or from a bracket or quote that is never closed, is left out.
 */
export function syntaxIssues(
  text: string,
  tokens: readonly CST.Token[],
  errors: readonly YAMLParseError[],
): CodeProblem[] {
  const unclosed = findUnclosed(text, tokens);
  const found = errors.map((error) => explain(text, error)).sort((one, other) => one.offset - other.offset);
  const isAfterUnclosed = ({ offset }: Found): boolean => unclosed !== undefined && offset >= unclosed.offset;
  const end = found.findIndex((problem) => problem.kind !== 'line' || isAfterUnclosed(problem));
  const first = found[end];
  if (first === undefined) return onePerLine(text, unclosed === undefined ? found : [...found, unclosed]);
  const last = unclosed !== undefined && first.kind !== 'flow' && isAfterUnclosed(first) ? unclosed : first;
  return onePerLine(text, [...found.slice(0, end), last]);
}

/**
 * The fix for a text that begins with an indicator of YAML: `*`, `&` or `!`, which make an alias, an anchor or a tag of it.
 * Undefined for one that is meant as an alias, an anchor or a tag.
 * @param offset in the line of the text, and not behind its end
 */
export function quotesForIndicator(text: string, offset: number): CodeProblem | undefined {
  const start = lineStart(text, offset);
  const line = lineAt(text, start);
  const before = beforeValue.exec(line)?.[0] ?? '';
  if (!isFlow(line.slice(before.length))) return missingQuotes(line, start);
  for (const { 1: key = '', 2: value = '', index } of line.matchAll(/([\w-]+:\s+)?([!*&][^,{}[\]]*)/g)) {
    const from = start + index + key.length;
    const reason = offset > from + value.length ? undefined : reasonForQuotes(value.trimEnd(), key);
    if (reason !== undefined) return { message: fix(reason, key.trimEnd(), value.trimEnd()), offset: from };
  }
  return undefined;
}

function onePerLine(text: string, found: readonly Found[]): CodeProblem[] {
  const known = new Set<number>();
  return found.filter(({ offset }) => {
    const start = lineStart(text, offset);
    const isKnown = known.has(start);
    known.add(start);
    return !isKnown;
  });
}

function explain(text: string, error: YAMLParseError): Found {
  const { code, message } = error;
  const [offset] = error.pos;
  const start = lineStart(text, offset);
  const line = lineAt(text, start);
  const before = line.slice(0, offset - start);
  const isWithin = code === 'UNEXPECTED_TOKEN' && before.trim() !== '' && text.startsWith('{{', offset);
  return (
    unindentedBody(text, line, start) ??
    wrongToken(text, before, error) ??
    slipOf(line, start) ??
    missingQuotes(line, start, isWithin) ??
    wrongIndentation(text, line, error) ?? {
      kind: code === 'BAD_DQ_ESCAPE' ? 'line' : 'structure',
      message,
      offset,
    }
  );
}

/** Something that cannot follow what is before it in the line. */
function wrongToken(text: string, before: string, { code, message, pos }: YAMLParseError): Found | undefined {
  const [offset] = pos;
  const start = offset - before.length;
  if (code === 'BLOCK_IN_FLOW') {
    return bareExpression(lineAt(text, start), start, offset) ?? missingComma(offset);
  }
  if (code !== 'UNEXPECTED_TOKEN') return undefined;
  if (/flow-(?:map|seq)-end token in YAML stream/.test(message)) return unopened(text, offset);
  return endedQuote(before, offset) ?? bareExpression(lineAt(text, start), start, offset);
}

function slipOf(line: string, start: number): Found | undefined {
  const slip = lineSlip(line, start);
  return slip === undefined ? undefined : { kind: 'structure', ...slip };
}

/** A closing bracket too many. */
function unopened(text: string, offset: number): Found {
  const [closing, opening] = text.startsWith('}', offset) ? ['}', '{'] : [']', '['];
  const message = `This ${closing} closes nothing: remove it, or add the ${opening} that it closes`;
  return { kind: 'structure', message, offset };
}

const missingComma = (offset: number): Found => ({
  kind: 'flow',
  message: 'Put a comma between the entries inside { } and [ ]',
  offset,
});

/** @param opening the bracket or quote at the offset */
const neverClosed = (opening: string, offset: number): Found => ({
  kind: 'structure',
  message: `This ${opening} is never closed`,
  offset,
});

const lineStart = (text: string, offset: number): number => text.lastIndexOf('\n', offset - 1) + 1;

/** Characters of a line that are looked at for each error; patterns take longer than the line is long. */
const maxLineLength = 1000;

function lineAt(text: string, start: number): string {
  const end = text.indexOf('\n', start);
  return text.slice(start, Math.min(end < 0 ? text.length : end, start + maxLineLength)).replace(/\r$/, '');
}

/** The innermost bracket or quote that is open at the end: closing it is the likely fix, its place the likely mistake. */
function findUnclosed(text: string, tokens: readonly CST.Token[]): Found | undefined {
  let found: Found | undefined;
  const open = (token: CST.Token | null | undefined): void => {
    if (token === null || token === undefined) return;
    if (isUnclosedBracket(token)) found = neverClosed(token.start.source, token.offset);
    if (isUnclosedQuote(token)) found = neverClosed(token.source.charAt(0), token.offset);
    if (token.type === 'document') open(token.value);
    if ('items' in token) {
      for (const item of token.items) {
        if ('key' in item) open(item.key);
        if ('value' in item) open(item.value);
      }
    }
  };
  for (const token of tokens) open(token);
  if (found === undefined) return undefined;
  const start = lineStart(text, found.offset);
  return missingQuotes(lineAt(text, start), start) ?? found;
}

const isUnclosedBracket = (token: CST.Token): token is CST.FlowCollection =>
  token.type === 'flow-collection' &&
  !token.end.some(({ source }) => source === (token.start.source === '{' ? '}' : ']'));

const isUnclosedQuote = (token: CST.Token): token is CST.FlowScalar =>
  (token.type === 'single-quoted-scalar' || token.type === 'double-quoted-scalar') &&
  (token.source.length < 2 || !token.source.endsWith(token.source.charAt(0)));

/** The dashes and the key before a value on the same line. */
const beforeValue = /^\s*(?:-\s+)*(?:(?:"[^"]*"|'[^']*'|[\w][^:#"'{}[\],]*?)\s*:\s+)?/;
/**
 * Beginnings that a text without quotes cannot have, since YAML gives them a meaning or keeps them for one. What looks like an
 * alias, an anchor or a tag with a value is none of them: it is more likely meant.
 */
const reserved = /^(?:[@`%]|\*(?![\w-]+$)|&(?![\w-]+(?:\s|$))|!(?!!|[A-Za-z]\w*\s+\S))/;
/** Longer lines are named without the line as it should be. */
const maxQuoted = 160;

const indentOf = (line: string): number => line.length - line.trimStart().length;

/** The first line below `key: |`, where it is no further in than the key. */
function unindentedBody(text: string, line: string, start: number): Found | undefined {
  const above = lineAt(text, lineStart(text, text.slice(0, start).trimEnd().length));
  if (!/:\s+[|>][-+\d]*$/.test(above) || indentOf(line) > indentOf(above)) return undefined;
  return checkIndentation(start + indentOf(line), `indent this text further than "${above.trim()}"`);
}

/** How the library speaks of lines that begin in the wrong column. */
const indentationMessages =
  /^(?:All (?:mapping|sequence) items|A block sequence|With stringKeys|Sequence item without|Implicit keys? need|Implicit map keys|Nested mappings)/;

function wrongIndentation(text: string, line: string, error: YAMLParseError): Found | undefined {
  if (!indentationMessages.test(error.message)) return undefined;
  const start = lineStart(text, error.pos[0]);
  // A line too far in goes on with the value above it, and the library names that one.
  const isValueAbove = /^(?:BLOCK_AS|MULTILINE)_IMPLICIT_KEY$/.test(error.code);
  const below = /\S/.exec(text.slice(start + line.length))?.index ?? 0;
  const next = lineStart(text, start + line.length + below);
  const isTooFar = isValueAbove && indentOf(lineAt(text, next)) > indentOf(line);
  const culprit = isTooFar ? next : start;
  return checkIndentation(
    culprit + indentOf(lineAt(text, culprit)),
    'keys or list items that belong together start in the same column',
  );
}

const checkIndentation = (offset: number, reason: string): Found => ({
  kind: 'structure',
  message: `Check the indentation of this line: ${reason}`,
  offset,
});

const isFlow = (value: string): boolean => /^[[{]/.test(value) && !value.startsWith('{{');

/** Something behind the closing quote of a text. */
function endedQuote(before: string, offset: number): Found | undefined {
  const quote = before.trimEnd().at(-1);
  if (quote !== '"' && quote !== "'") return undefined;
  const isInFlow = isFlow(before.replace(beforeValue, ''));
  const swallowed = isInFlow ? /(["'])[^"']*,\s*[\w-]+:\s*["']\s*$/.exec(before) : null;
  if (swallowed?.[1] === quote) return neverClosed(quote, offset - before.length + swallowed.index);
  const other = quote === '"' ? "'" : '"';
  const message = `The ${quote} before this ends the quoted text. If it belongs to the text, put ${other} around the whole text instead; if not, move this inside the quotes`;
  return { kind: isInFlow ? 'flow' : 'line', message, offset };
}

/** An expression inside { } or [ ] that YAML takes apart at a colon or a bracket. */
function bareExpression(line: string, start: number, offset: number): Found | undefined {
  const source = /(?:^|[{[,]|:\s)\s*(=[^,]*)$/.exec(line.slice(0, offset - start + 1))?.[1];
  if (source === undefined) return undefined;
  const message = 'This expression needs quotes inside { } and [ ]';
  return { kind: 'flow', message, offset: offset + 1 - source.length };
}

/**
 * The value on the line as text that lacks its quotes; undefined where that is not what is wrong.
 * @param isWithin whether the line is known to lie inside of a list or an object in brackets
 */
function missingQuotes(line: string, start: number, isWithin = false): Found | undefined {
  const before = beforeValue.exec(line)?.[0] ?? '';
  const value = line
    .slice(before.length)
    .replace(/\s+#.*$/, '')
    .trimEnd();
  const offset = start + before.length;
  const key = before.replace(/^\s*(?:-\s+)*/, '').trim();
  if (isFlow(value)) return missingQuotesWithin(value, offset);
  if (isWithin) return missingQuotesWithin(line, start);
  if (/^["'|>]/.test(value) || value === '') return undefined;
  const reason = reasonForQuotes(value, key);
  return reason === undefined ? undefined : { kind: 'line', message: fix(reason, key, value), offset };
}

/** The first text with a `{{ … }}` and without quotes inside of a list or object. */
function missingQuotesWithin(value: string, offset: number): Found | undefined {
  const bare = /"(?:[^"\\]|\\.)*"|'[^']*'|(\{\{.*?\}\})/g;
  for (const { 1: placeholder, index } of value.matchAll(bare)) {
    if (placeholder === undefined) continue;
    const start = /^(?:.*(?:[{[,]|:\s|":))?\s*/.exec(value.slice(0, index))?.[0].length ?? 0;
    const key = /[^\s{[,]+:\s*$/.exec(value.slice(0, start))?.[0].trim() ?? '';
    const text = /^(?:\{\{.*?\}\}|[^{}[\],])*/.exec(value.slice(start))?.[0].trimEnd() ?? '';
    return { kind: 'flow', message: fix('Text with {{ }}', key, text), offset: offset + start };
  }
  return undefined;
}

function reasonForQuotes(value: string, key: string): string | undefined {
  if (value.includes('{{')) return 'Text with {{ }}';
  if (/:\s/.test(value) || (value.endsWith(':') && key !== '')) return 'Text with ": "';
  return reserved.test(value) ? `Text that begins with "${value.charAt(0)}"` : undefined;
}

/** @param key with its colon; empty where the value has none */
function fix(reason: string, key: string, value: string): string {
  const corrected = `${key} ${quoted(value)}`.trimStart();
  return corrected.length > maxQuoted
    ? `${reason} needs quotes around all of it`
    : `${reason} needs quotes: ${corrected}`;
}

function quoted(value: string): string {
  if (!/["\\]/.test(value)) return `"${value}"`;
  return value.includes("'") ? JSON.stringify(value) : `'${value}'`;
}
