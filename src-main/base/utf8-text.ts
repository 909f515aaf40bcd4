// Bytes of text files as text. A file in another encoding is refused, never read with replaced characters.
import { AppError, type TextFault } from './app-error.ts';
import { utf8Length } from './utf8-length.ts';

/**
 * The text with its byte order mark. Throws `invalid_input` with a `textFault` for bytes that are not UTF-8.
 * @param subject of the message, such as the name of the file: "a.yaml is not UTF-8 text in line 3, column 5"
 */
export function utf8Text(bytes: Uint8Array, subject: string): string {
  if (isUtf16(bytes)) throw refusal(`${subject} is UTF-16 text`, utf16Fault);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    const position = utf8Fault(bytes) ?? { line: 1, column: 1 };
    const { line, column } = position;
    const fault = { ...position, problem: 'This is not UTF-8 text: save the file as UTF-8' };
    throw refusal(`${subject} is not UTF-8 text in line ${line}, column ${column}`, fault, cause);
  }
}

const utf16Fault = { line: 1, column: 1, problem: 'The file is UTF-16 text: save it as UTF-8' };

const refusal = (message: string, textFault: TextFault, cause?: unknown): AppError =>
  new AppError('invalid_input', `${message}: save it as UTF-8`, { textFault, cause });

type Position = Omit<TextFault, 'problem'>;

/** By the byte order mark, or by zero bytes: letters of most languages have one in UTF-16, and in UTF-8 they never have. */
const isUtf16 = ([first, second, third, fourth]: Uint8Array): boolean =>
  (first === 0xff && second === 0xfe) ||
  (first === 0xfe && second === 0xff) ||
  (first === 0 && second !== 0 && third === 0) ||
  (first !== 0 && second === 0 && fourth === 0);

/** Where the first bytes are that are not UTF-8; undefined if there are none. */
export function utf8Fault(bytes: Uint8Array): Position | undefined {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  let [offset, from] = [0, 0];
  for (let at = text.indexOf(replacement); at >= 0; at = text.indexOf(replacement, at + 1)) {
    offset += utf8Length(text, from, at);
    from = at;
    if (replacementBytes.some((byte, index) => bytes[offset + index] !== byte)) return positionAt(text, at);
  }
  return undefined;
}

/** The character in place of bytes that are not UTF-8. A file may also have this character itself. */
const replacement = '\ufffd';
const replacementBytes = [0xef, 0xbf, 0xbd];

function positionAt(text: string, at: number): Position {
  let line = 1;
  let start = text.startsWith('\ufeff') ? 1 : 0;
  for (let end = text.indexOf('\n'); end >= 0 && end < at; end = text.indexOf('\n', start)) {
    line += 1;
    start = end + 1;
  }
  return { line, column: at - start + 1 };
}
