// A text as services may write it down: each of its characters as it is, or escaped as JSON, JavaScript, URLs, HTML and
// mail headers (RFC 2047) do it, in any mixture and several times over. Who calls: `secret-mask.ts`.
// INVARIANT: no answer can make a search take long: a repeat in a pattern has an upper limit, or is one of backslashes,
// and of those a search begins at the first.

/** Finds a text in bytes that were made a string of, one character a byte. */
export type Spellings = {
  /** Where the text stands, in order. */
  find(bytes: string): Iterable<ByteRange>;
};
export type ByteRange = { readonly from: number; readonly to: number };

/** The engine refuses patterns that are too long; a text is looked for in pieces of about so many characters. */
const pieceLength = 64;

/**
 * @param text of characters below 256
 * @param escaped whether letters and digits may be escaped too, or only what some reader could misunderstand
 */
export function spellingsOf(text: string, escaped: 'all' | 'symbols'): Spellings {
  const pieces: string[] = [];
  let piece = '';
  let length = 0;
  let before: '+' | '*' = '+';
  for (const characters of text.match(/\\+|[^\\]/g) ?? []) {
    const isBackslash = characters.startsWith('\\');
    const isLetter = !isSymbol(characters);
    if (isBackslash) piece += backslashes(characters.length);
    else piece += isLetter && escaped === 'symbols' ? characters : patternOf(characters, before);
    before = isBackslash ? '*' : '+';
    length += 1;
    // Letters and digits begin no escape, so that it is certain where one ends.
    if (length < pieceLength || !isLetter) continue;
    pieces.push(piece);
    piece = '';
    length = 0;
  }
  const [first = '', ...rest] = [...pieces, piece].filter((pattern) => pattern !== '');
  // From the first of some backslashes on, not from each.
  const start = new RegExp(`(?!(?<=\\\\)\\\\)${first}`, 'g');
  const going = rest.map((pattern) => new RegExp(pattern, 'y'));
  return { find: (bytes) => find(bytes, start, going) };
}

function* find(bytes: string, start: RegExp, going: readonly RegExp[]): Generator<ByteRange> {
  start.lastIndex = 0;
  for (let match = start.exec(bytes); match !== null; match = start.exec(bytes)) {
    let to: number | undefined = start.lastIndex;
    for (const piece of going) {
      piece.lastIndex = to;
      if (!piece.test(bytes)) {
        to = undefined;
        break;
      }
      to = piece.lastIndex;
    }
    if (to === undefined) start.lastIndex = match.index + 1;
    else yield { from: match.index, to };
  }
}

/** How often an escape can have been escaped again, and how many zeros can stand before a number. */
const often = '{0,8}';

/**
 * Several backslashes, with all that stand before the next character: which belong to which cannot be told once they
 * are escaped, and need not.
 */
function backslashes(count: number): string {
  const alternatives = [`\\\\+(?:[uU]\\{?0${often}5[cC]\\}?|x5[cC])`, inUrl('\\'), inHtml('\\')];
  return `(?:\\\\{${count},}(?!\\\\)|(?:${alternatives.join('|')}){${count}})`;
}

/** @param before how many backslashes an escape has */
function patternOf(character: string, before: '+' | '*'): string {
  const code = character.charCodeAt(0);
  const raw = encodings(character).map((bytes) => bytes.map((byte) => `\\x${hexDigits(byte)}`).join(''));
  const inScript = [
    `[uU]\\{?0${often}${hexOf(code)}\\}?`,
    `x${hexOf(code)}`,
    // What is put in the place of a character that could not be read.
    ...(code < 0x80 ? [] : ['u[fF]{3}[dD]']),
    ...(isSymbol(character) ? raw : []),
  ];
  const alternatives = [
    `\\\\${before}(?:${inScript.join('|')})`,
    inUrl(character),
    inHtml(character),
    inMail(character),
    // Last, since it may be what an escape begins with.
    ...raw,
    ...(code < 0x80 ? [] : ['\\xef\\xbf\\xbd']),
    ...(character === ' ' ? ['\\+', '_'] : []),
  ];
  return `(?:${alternatives.join('|')})`;
}

const inUrl = (character: string): string =>
  encodings(character)
    .map((bytes) => bytes.map((byte) => `%(?:25)${often}${hexOf(byte)}`).join(''))
    .join('|');

/** Quoted-printable, also that of encoded words in headers. */
const inMail = (character: string): string =>
  encodings(character)
    .map((bytes) => bytes.map((byte) => `=${hexOf(byte)}`).join(''))
    .join('|');

function inHtml(character: string): string {
  const code = character.charCodeAt(0);
  const name = isSymbol(character) ? '|[A-Za-z][A-Za-z0-9]{1,31};' : '';
  return `&(?:amp;)${often}(?:#0${often}${code};?|#[xX]0${often}${hexOf(code)};?${name})`;
}

const isSymbol = (character: string): boolean => !/^[0-9A-Za-z]$/.test(character);

/** The bytes of the character in each encoding; ASCII has the same byte in all. */
function encodings(character: string): readonly (readonly number[])[] {
  const code = character.charCodeAt(0);
  return code < 0x80 ? [[code]] : encodingsOf(character).map((bytes) => [...bytes]);
}

/** The text as UTF-8, as the one byte a character that a header has, and as UTF-8 that was read that way and encoded again. */
export function encodingsOf(text: string): readonly Buffer[] {
  const utf8 = Buffer.from(text, 'utf8');
  return [utf8, Buffer.from(text, 'latin1'), Buffer.from(utf8.toString('latin1'), 'utf8')];
}

const hexDigits = (code: number): string => code.toString(16).padStart(2, '0');
/** In small letters or capitals. */
const hexOf = (code: number): string =>
  hexDigits(code).replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
