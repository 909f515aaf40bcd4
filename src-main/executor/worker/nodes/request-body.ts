// The body of a request, in the form that the node names.
import { createHash } from 'node:crypto';
import {
  contentTypeProblem,
  isBase64,
  usualTypes,
  type BodyForm,
} from '../../../domain/upstream/body-form.ts';
import { assertObject } from './named-values.ts';
import { describeType, refusal, simpleText } from './outside-call.ts';

export type RequestBody = {
  /** Text, or the Base64 of bytes that are none. */
  readonly text: string;
  readonly isBase64?: true;
  /** Content type, if the author gives none. */
  readonly type: string;
};

/** Maximum size of a body, so that the bodies of many rows do not fill the main process. */
const maxBodySize = 10_000_000;

/** The body for a value of the row; undefined for a missing one. Throws a `refusal` for a value that has no such form. */
export function requestBody(value: unknown, form: BodyForm): RequestBody | undefined {
  if (value === undefined) return undefined;
  const body = makers[form](value);
  if (body.text.length > (body.isBase64 ? (maxBodySize / 3) * 4 : maxBodySize))
    throw refusal('the body is longer than 10 MB');
  return body;
}

/** Throws a `refusal` if a body of this form cannot have the content type that the author gives. */
export function assertContentType(form: BodyForm, contentType: string): void {
  const problem = contentTypeProblem(form, contentType);
  if (problem !== undefined) throw refusal(problem);
}

const makers: Readonly<Record<BodyForm, (value: unknown) => RequestBody>> = {
  json: (value) =>
    typeof value === 'string'
      ? { text: value, type: usualTypes.text }
      : { text: JSON.stringify(value), type: usualTypes.json },
  text: (value) => ({ text: asText(value, 'the body'), type: usualTypes.text }),
  base64: (value) => ({ ...bytesBody(bytesOf(value, 'the body')), type: usualTypes.base64 }),
  form: formBody,
  multipart: multipartBody,
};

function formBody(value: unknown): RequestBody {
  const pairs = new URLSearchParams();
  for (const [name, entry] of simpleEntries(value)) {
    const text = simpleText(entry, `"${name}" in "body"`);
    if (text !== undefined) pairs.append(name, text);
  }
  return { text: pairs.toString(), type: usualTypes.form };
}

/** The names with their values; a list gives its name several times. */
const simpleEntries = (value: unknown): (readonly [string, unknown])[] =>
  Object.entries(assertObject(value, 'body') as Readonly<Record<string, unknown>>).flatMap(([name, entry]) =>
    (Array.isArray(entry) ? (entry as readonly unknown[]) : [entry]).map((one) => [name, one] as const),
  );

/** The boundary comes from the content, so that the same request is the same in every run. */
function multipartBody(value: unknown): RequestBody {
  const parts = simpleEntries(value).flatMap(([name, entry]) => partOf(name, entry) ?? []);
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  const boundary = `rowbench-${hash.digest('hex').slice(0, 32)}`;
  const bytes = Buffer.concat([
    ...parts.flatMap((part) => [Buffer.from(`--${boundary}\r\n`), part, Buffer.from('\r\n')]),
    Buffer.from(`--${boundary}--\r\n`),
  ]);
  return { ...bytesBody(bytes), type: `multipart/form-data; boundary=${boundary}` };
}

function partOf(name: string, entry: unknown): Buffer | undefined {
  const disposition = `Content-Disposition: form-data; name="${escapedName(name)}"`;
  if (typeof entry === 'object' && entry !== null && 'file' in entry) {
    const { file, type, base64 } = entry as Readonly<Record<string, unknown>>;
    const where = `the file "${name}" in "body"`;
    const fileName = escapedName(asText(file, `the name of ${where}`));
    const bytes = bytesOf(base64, where);
    const head = `${disposition}; filename="${fileName}"\r\nContent-Type: ${fileType(type, where)}\r\n\r\n`;
    return Buffer.concat([Buffer.from(head), bytes]);
  }
  const text = simpleText(entry, `"${name}" in "body"`);
  return text === undefined ? undefined : Buffer.from(`${disposition}\r\n\r\n${text}`);
}

/** A name as browsers write it, so that it cannot end its line. */
const escapedName = (name: string): string =>
  name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

function fileType(type: unknown, where: string): string {
  if (type === undefined || type === null) return usualTypes.base64;
  if (typeof type === 'string' && /^[\w.+-]+\/[\w.+-]+(?:;[\x20-\x7e]*)?$/.test(type)) return type;
  throw refusal(`the type of ${where} is not one such as application/pdf`);
}

function asText(value: unknown, where: string): string {
  if (typeof value === 'string') return value;
  throw refusal(`${where} is ${describeType(value)}, not text`);
}

function bytesOf(value: unknown, where: string): Buffer {
  const text = asText(value, where);
  if (!isBase64(text)) throw refusal(`${where} is not Base64`);
  return Buffer.from(text, 'base64');
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Bytes that are text are sent as text, so that cassettes show it. */
function bytesBody(bytes: Buffer): Pick<RequestBody, 'text' | 'isBase64'> {
  try {
    return { text: decoder.decode(bytes) };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return { text: bytes.toString('base64'), isBase64: true };
  }
}
