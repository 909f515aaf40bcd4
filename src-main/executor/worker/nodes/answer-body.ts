// The body of an answer as a value for the row.
import { mediaType, type AnswerForm } from '../../../domain/upstream/body-form.ts';
import type { UpstreamAnswer } from '../../ports.ts';
import { NodeError } from '../node-error.ts';
import { parseAnswer } from './answer-json.ts';

export type OutsideAnswer = Omit<Extract<UpstreamAnswer, { kind: 'answered' }>, 'kind'> & {
  /** `GET https://api.example.com/companies`, for messages. */
  readonly origin: string;
  /** How long the call took, in whole ms of the run's time. */
  readonly ms: number;
};

/** The body as UTF-8 text. Throws NodeError when it is none. */
export const bodyText = (answer: OutsideAnswer): string => decodedText(answer, 'utf-8');

/**
 * The body as the node reads it, or without a form: parsed if it is JSON, otherwise text. Throws NodeError for a body that no
 * row can hold.
 */
export function bodyValue(answer: OutsideAnswer, form?: AnswerForm): unknown {
  if (form === 'base64') {
    const { body } = answer;
    return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('base64');
  }
  if (form === 'text') return decodedText(answer, charsetOf(answer));
  const text = bodyText(answer);
  if (form === 'json') return parseAnswer(text, answer.origin);
  return text !== '' && isJsonType(contentType(answer)) ? parseAnswer(text, answer.origin) : text;
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

function decodedText({ body, origin }: OutsideAnswer, charset: string): string {
  try {
    const decoder = new TextDecoder(charset, { fatal: true });
    // In two steps, since Node 20 decodes windows-1252 as Latin-1 when it decodes in one.
    return charset === 'utf-8'
      ? decoder.decode(body)
      : decoder.decode(body, { stream: true }) + decoder.decode();
  } catch (error) {
    // RangeError: there is no such character set. TypeError: the bytes are not of it.
    const advice = charset === 'utf-8' ? ': for binary data, add answerAs: base64' : '';
    if (error instanceof RangeError || error instanceof TypeError)
      throw new NodeError(`${origin} answered with text that is not ${charsetName(charset)}${advice}`);
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
