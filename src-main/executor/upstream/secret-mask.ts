// A service may send back what it was sent. Nothing that a secret can be read from goes on to a row, a trace or a file.
import type { Secret } from '../../domain/secrets/secret.ts';

export class SecretMask {
  readonly #label: Buffer;
  /** Longest first, so that no piece of a longer form is left over. */
  readonly #forms: readonly Buffer[];

  constructor(secret: Secret | undefined) {
    this.#label = Buffer.from(`[secret ${secret?.name ?? ''}]`);
    const forms = secret === undefined ? [] : [...new Set(formsOf(secret.value))];
    this.#forms = forms.sort((a, b) => b.length - a.length).map((form) => Buffer.from(form, 'utf8'));
  }

  text(text: string): string {
    return this.#forms.length === 0
      ? text
      : Buffer.from(this.bytes(Buffer.from(text, 'utf8'))).toString('utf8');
  }

  /** The same bytes when there is nothing to hide. */
  bytes(bytes: Uint8Array): Uint8Array {
    let masked = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (const form of this.#forms) masked = this.#without(masked, form);
    return masked;
  }

  #without(bytes: Buffer, form: Buffer): Buffer {
    const pieces: Buffer[] = [];
    let from = 0;
    for (let at = bytes.indexOf(form); at >= 0; at = bytes.indexOf(form, from)) {
      pieces.push(bytes.subarray(from, at), this.#label);
      from = at + form.length;
    }
    return from === 0 ? bytes : Buffer.concat([...pieces, bytes.subarray(from)]);
  }
}

/** How a value may be written down: as it is, and as URLs, JSON, HTML and base64 write it. */
function formsOf(value: string): readonly string[] {
  const inUrl = encodeURIComponent(value);
  const inForm = new URLSearchParams([['', value]]).toString().slice(1);
  const inJson = JSON.stringify(value).slice(1, -1);
  const inHtml = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return [
    value,
    ...[inUrl, inForm].flatMap((form) => [form, form.replace(/%../g, (escape) => escape.toLowerCase())]),
    inJson,
    inJson.replaceAll('/', '\\/'),
    [...value].map((character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
    inHtml,
    inHtml.replaceAll('"', '&quot;'),
    Buffer.from(value).toString('hex'),
    Buffer.from(value).toString('hex').toUpperCase(),
    ...base64Forms(value),
  ];
}

/**
 * Base64 writes three bytes as four characters, so a value looks different after one, two or three bytes of something
 * else, such as `user:`. Of each form only what the bytes around it cannot change is kept.
 */
function base64Forms(value: string): readonly string[] {
  const whole = Buffer.from(value).toString('base64');
  const inside = [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(value)]);
    const start = before === 0 ? 0 : before + 1;
    return bytes.toString('base64').slice(start, Math.floor((bytes.length * 8) / 6));
  });
  const forms = [whole, ...inside];
  return [
    ...forms,
    ...forms.map((form) => form.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')),
  ];
}
