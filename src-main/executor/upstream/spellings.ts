// Finds a text in the forms in which services may write it: each character plain, or escaped as in JSON, JavaScript, URLs,
// HTML or mail headers (RFC 2047), in any mixture and several times. Who calls: `secret-mask.ts`.
// INVARIANT: no answer can make a search slow: each repeat in a pattern has an upper limit, or repeats backslashes, where a
// search starts only at the first one.

/** A search in bytes that are given as a string with one character per byte. */
export type Spellings = {
  /** All places of the text, in order. */
  find(bytes: string): Iterable<ByteRange>;
};
export type ByteRange = { readonly from: number; readonly to: number };

/** Characters of one pattern. The engine refuses long patterns, so a text is searched in pieces. */
const pieceLength = 64;

/**
 * @param text of characters below 256
 * @param escaped `all`: letters and digits may be escaped too; `symbols`: only characters with a meaning in some format
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
    // A piece ends before a letter or digit, which cannot be the start of an escape.
    if (length < pieceLength || !isLetter) continue;
    pieces.push(piece);
    piece = '';
    length = 0;
  }
  const [first = '', ...rest] = [...pieces, piece].filter((pattern) => pattern !== '');
  // A match starts at the first of several backslashes, not at each.
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

/** Maximum number of repeated escapes, and of zeros before a number. */
const often = '{0,8}';

/**
 * A pattern for several backslashes, including those that escape the next character: once escaped, the two cannot be told
 * apart.
 */
function backslashes(count: number): string {
  const alternatives = [`\\\\+(?:[uU]\\{?0${often}5[cC]\\}?|x5[cC])`, inUrl('\\'), inHtml('\\')];
  return `(?:\\\\{${count},}(?!\\\\)|(?:${alternatives.join('|')}){${count}})`;
}

/** A pattern for all forms of a character. @param before number of backslashes before an escape */
function patternOf(character: string, before: '+' | '*'): string {
  const code = character.charCodeAt(0);
  const raw = encodings(character).map((bytes) => bytes.map((byte) => `\\x${hexDigits(byte)}`).join(''));
  const inScript = [
    `[uU]\\{?0${often}${hexOf(code)}\\}?`,
    `x${hexOf(code)}`,
    // The replacement character, for a character that could not be read.
    ...(code < 0x80 ? [] : ['u[fF]{3}[dD]']),
    ...(isSymbol(character) ? raw : []),
  ];
  const alternatives = [
    `\\\\${before}(?:${inScript.join('|')})`,
    inUrl(character),
    inHtml(character),
    inMail(character),
    // The plain form is last, since an escape may begin with it.
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

/** Quoted-printable, also in encoded words of headers. */
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

/** The text as UTF-8, as Latin-1 (as in headers), and as UTF-8 that was read as Latin-1 and encoded again. */
export function encodingsOf(text: string): readonly Buffer[] {
  const utf8 = Buffer.from(text, 'utf8');
  return [utf8, Buffer.from(text, 'latin1'), Buffer.from(utf8.toString('latin1'), 'utf8')];
}

const hexDigits = (code: number): string => code.toString(16).padStart(2, '0');
/** A pattern for the number in hex digits of either case. */
const hexOf = (code: number): string =>
  hexDigits(code).replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
