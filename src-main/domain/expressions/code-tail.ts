// What is being typed at the end of a piece of code, which need not be complete: a name, or a member of a chain of names.

export type CodeTail = {
  /** The names before the one that is typed: `nodes`, `score` for `nodes.score.va`. An index is `[]`. Empty for a name alone. */
  readonly chain: readonly string[];
  /** The beginning of the name. */
  readonly prefix: string;
  readonly form: 'dot' | 'bracket';
};

/** Longer chains of names are not looked through. */
const maxTail = 400;

const name = String.raw`[\p{L}_$][\p{L}\p{N}_$]*`;
const link = String.raw`\s*\??\.\s*${name}|\s*(?:\?\.)?\[\s*(?:'[^'\n]*'|"[^"\n]*"|\d+)\s*\]`;
const chain = String.raw`(?<![\p{L}\p{N}_$.)\]'"\x60])(${name}(?:${link})*)`;
const dotted = new RegExp(String.raw`${chain}\s*\??\.\s*(${name})?$`, 'u');
const bracketed = new RegExp(String.raw`${chain}\s*(?:\?\.)?\[\s*['"]([^'"\n]*)$`, 'u');
const alone = new RegExp(String.raw`(?<![\p{L}\p{N}_$.])(${name})?$`, 'u');
const links = new RegExp(String.raw`(${name})|'([^'\n]*)'|"([^"\n]*)"|\d+`, 'gu');

/** Undefined in a text, a comment or a number, and behind what is no chain of names. */
export function codeTail(code: string): CodeTail | undefined {
  const tail = code.slice(-maxTail);
  const inBrackets = bracketed.exec(tail);
  if (inBrackets?.[1] !== undefined && isCode(code.slice(0, code.length - tail.length + inBrackets.index)))
    return { chain: namesIn(inBrackets[1]), prefix: inBrackets[2] ?? '', form: 'bracket' };
  const isNumber = /(?:^|[^\p{L}\p{N}_$])\d[\w.]*$/u.test(tail);
  return isNumber || !isCode(code) ? undefined : dottedTail(tail);
}

function dottedTail(tail: string): CodeTail | undefined {
  const member = dotted.exec(tail);
  if (member?.[1] !== undefined) return { chain: namesIn(member[1]), prefix: member[2] ?? '', form: 'dot' };
  const plain = alone.exec(tail);
  return plain === null || /\.\s*$/.test(tail)
    ? undefined
    : { chain: [], prefix: plain[1] ?? '', form: 'dot' };
}

/** The names of a whole expression that is nothing but a chain of names; undefined for any other. */
export function chainOf(code: string): readonly string[] | undefined {
  const found = new RegExp(`^${chain}$`, 'u').exec(code.trim().slice(0, maxTail));
  return found?.[1] === undefined ? undefined : namesIn(found[1]);
}

const namesIn = (text: string): string[] =>
  [...text.matchAll(links)].map(([, plain, single, double]) => plain ?? single ?? double ?? '[]');

const closed = /\/\/[^\n]*\n|\/\*[^]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\[^]|[^`\\])*`/g;

/** True if what follows the text is code: no quotes, comment or template text is open. */
function isCode(code: string): boolean {
  const left = code.replaceAll(closed, ' ');
  const open = /\/\/|\/\*|["'`]/.exec(left);
  if (open === null || open[0] !== '`') return open === null;
  const template = left.slice(open.index + 1);
  const start = template.lastIndexOf('${');
  return start > template.lastIndexOf('}') && isCode(template.slice(start + 2));
}
