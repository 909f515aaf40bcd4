// The body of an answer as a value for the row.
import { isNestedDeeper } from '../../../domain/rows/json-depth.ts';
import { mediaType, type AnswerForm } from '../../../domain/upstream/body-form.ts';
import { countInexactIntegers, parseExactJson } from '../../../domain/rows/exact-json.ts';
import type { UpstreamAnswer } from '../../ports.ts';
import { NodeError } from '../node-error.ts';

export type OutsideAnswer = Omit<Extract<UpstreamAnswer, { kind: 'answered' }>, 'kind'> & {
  /** `GET https://api.example.com/companies`, for messages. */
  readonly origin: string;
  /** How long the call took, in whole ms of the run's time. */
  readonly ms: number;
};

/** The body as UTF-8 text. Throws NodeError when it is none. */
export const bodyText = (answer: OutsideAnswer): string => decodedText(answer, 'utf-8');

/**
 * The body as the node reads it, or without a form: parsed if it is JSON, otherwise text. An empty or blank body is no
 * JSON: null with the form `json`, an empty text without a form. Throws NodeError for a body that no row can hold.
 * @param onTexts gets the count of numbers that no double holds, which became texts; not called without any
 */
export function bodyValue(
  answer: OutsideAnswer,
  form?: AnswerForm,
  onTexts?: (count: number) => void,
): unknown {
  if (form === 'base64') {
    const { body } = answer;
    return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('base64');
  }
  const charset = form === 'text' ? charsetOf(answer) : 'utf-8';
  const text = decodedText(answer, charset, () => (charset === 'utf-8' ? anotherForm(answer) : ''));
  if (form === 'text') return text;
  if (form !== 'json' && !isJsonType(contentType(answer))) return text;
  if (text.trim() === '') return form === 'json' ? null : '';
  const value = parseAnswer(text, answer.origin);
  const texts = onTexts === undefined ? 0 : countInexactIntegers(text);
  if (texts > 0) onTexts?.(texts);
  return value;
}

/** The form that reads an answer that is not UTF-8, as the end of a message. */
function anotherForm(answer: OutsideAnswer): string {
  const charset = charsetOf(answer);
  return isOtherCharset(charset)
    ? `: add answerAs: text, which reads it as ${charset}`
    : ': for binary data, add answerAs: base64';
}

/** True for a character set that can be decoded and is not UTF-8. */
function isOtherCharset(charset: string): boolean {
  try {
    return new TextDecoder(charset).encoding !== 'utf-8';
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** The body of an answer that may be unusable. */
export function bodyOrText(answer: OutsideAnswer): unknown {
  try {
    return bodyValue(answer);
  } catch (error) {
    if (!(error instanceof NodeError)) throw error;
    return new TextDecoder().decode(answer.body);
  }
}

/** @param advice end of the message about a body in another character set */
function decodedText({ body, origin }: OutsideAnswer, charset: string, advice = () => ''): string {
  try {
    const decoder = new TextDecoder(charset, { fatal: true });
    // In two steps, since Node 20 decodes windows-1252 as Latin-1 when it decodes in one.
    return charset === 'utf-8'
      ? decoder.decode(body)
      : decoder.decode(body, { stream: true }) + decoder.decode();
  } catch (error) {
    // RangeError: there is no such character set. TypeError: the bytes are not of it.
    if (error instanceof RangeError || error instanceof TypeError)
      throw new NodeError(`${origin} answered with text that is not ${charsetName(charset)}${advice()}`);
    throw error;
  }
}

const charsetName = (charset: string): string => (charset === 'utf-8' ? 'UTF-8' : charset.slice(0, 40));

/** Character set that the answer names, in its header or at the start of XML; without one, UTF-8. */
function charsetOf(answer: OutsideAnswer): string {
  const type = headerOf(answer);
  const inHeader = /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(type)?.[1];
  if (inHeader !== undefined) return inHeader.toLowerCase();
  if (!/(?:^|\W)xml\b/i.test(mediaType(type))) return 'utf-8';
  const start = new TextDecoder('latin1').decode(answer.body.subarray(0, 200));
  return /^<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(start)?.[1]?.toLowerCase() ?? 'utf-8';
}

/** The content type in lower case, without parameters; empty if the answer has none. */
export const contentType = (answer: OutsideAnswer): string => mediaType(headerOf(answer));

const headerOf = ({ headers }: OutsideAnswer): string =>
  headers.find(([name]) => name === 'content-type')?.[1] ?? '';

export const isJsonType = (type: string): boolean =>
  type === 'application/json' || type === 'text/json' || type.endsWith('+json');

// Parses JSON from outside and checks it before a row gets it, since any program may have written it.

/** Maximum levels of nesting, as in rows of the HTTP interface. */
const deepest = 100;

/** The value, deeply frozen. Throws NodeError for a value that no row can hold. @param who the start of its message */
export function parseAnswer(text: string, who: string): unknown {
  if (isNestedDeeper(text, deepest))
    throw new NodeError(`${who} answered with JSON that is nested deeper than ${deepest} levels`);
  return freezeChecked(parse(text, who), who);
}

function parse(text: string, who: string): unknown {
  try {
    return parseExactJson(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new NodeError(`${who} answered with invalid JSON`);
  }
}

function freezeChecked(value: unknown, who: string): unknown {
  // JSON.parse reads 1e400 as Infinity: that must not become null later on.
  if (value === Infinity || value === -Infinity)
    throw new NodeError(`${who} answered with a number that is too large`);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) for (const entry of value) freezeChecked(entry, who);
  else for (const key of Object.keys(value)) freezeChecked((value as Inner)[key], who);
  return Object.freeze(value);
}

type Inner = Readonly<Record<string, unknown>>;
