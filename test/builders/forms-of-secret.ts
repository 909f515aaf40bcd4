// The forms in which a secret could lie about: whole or in part, as it is or encoded in the ways that programs encode.

/** Shorter pieces could be there by chance, and the last four characters of a key are shown on purpose. */
const pieceLength = 12;

type Form = readonly [name: string, of: (piece: Buffer) => string];

const hex = (piece: Buffer): string => piece.toString('hex');
const each = (piece: Buffer, of: (code: number) => string): string => [...piece].map(of).join('');
const twoDigits = (code: number): string => code.toString(16).padStart(2, '0');

const forms: readonly Form[] = [
  ['plain', (piece) => piece.toString('latin1')],
  ['reversed', (piece) => Buffer.from([...piece].reverse()).toString('latin1')],
  ['hex', hex],
  ['HEX', (piece) => hex(piece).toUpperCase()],
  ['percent-encoded', (piece) => encodeURIComponent(piece.toString('latin1'))],
  ['percent-encoded throughout', (piece) => each(piece, (code) => `%${twoDigits(code)}`)],
  ['PERCENT-ENCODED throughout', (piece) => each(piece, (code) => `%${twoDigits(code).toUpperCase()}`)],
  ['JSON', (piece) => JSON.stringify(piece.toString('latin1')).slice(1, -1)],
  ['JSON within JSON', (piece) => JSON.stringify(JSON.stringify(piece.toString('latin1'))).slice(3, -3)],
  ['JSON, escaped throughout', (piece) => each(piece, (code) => `\\u00${twoDigits(code)}`)],
  ['HTML', (piece) => each(piece, (code) => `&#${code};`)],
  ['decimal', (piece) => [...piece].join(',')],
  ['UTF-16', (piece) => Buffer.from(piece.toString('latin1'), 'utf16le').toString('latin1')],
];

export type Needle = { readonly form: string; readonly text: string };

/** Everything to look for, as one character a byte. */
export function needlesOf(secret: string): Needle[] {
  const bytes = Buffer.from(secret, 'latin1');
  const needles: Needle[] = [];
  for (let at = 0; at + pieceLength <= bytes.length; at += 1) {
    const piece = bytes.subarray(at, at + pieceLength);
    // Those that are the same as it is are one.
    for (const [form, of] of forms) needles.push({ form, text: of(piece) });
    // Three bytes are four characters; what stands before shifts them, so every offset is a piece of its own.
    const base64 = piece.toString('base64');
    needles.push({ form: 'base64', text: base64 }, { form: 'base64url', text: piece.toString('base64url') });
  }
  return [...new Map(needles.map((needle) => [needle.text, needle])).values()];
}

/** The needles that occur in a text of one character per byte. */
export const foundIn = (text: string, needles: readonly Needle[]): Needle[] =>
  needles.filter((needle) => text.includes(needle.text));
