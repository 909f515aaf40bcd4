// Makes an HTTP call of a pasted curl command. Nothing is executed, and a credential never becomes part of the call: it is
// handed out apart, to be stored as a secret.
import { count } from '../../format.ts';
import { isJsonObject, type JsonValue } from '../../../base/json-value.ts';
import {
  ignoredValueOptions,
  ignoredOptions,
  headerOptions,
  refusedOptions,
  dataOptions,
} from './curl-options.ts';
import { maxAttempts } from '../../nodes/max-attempts.ts';
import { blankInName } from '../../upstream/header-problem.ts';
import { isWrittenAlike } from '../../rows/exact-json.ts';
import { isCredentialName, secretNameFor } from './credentials.ts';
import { splitShellLine, type ShellWord, isWindowsLine, splitWindowsLine } from './split-shell-line.ts';
import { httpMethods } from '../../upstream/http-methods.ts';

/** A call as a node of type `http` describes it. */
export type CurlCall = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: JsonValue;
  /** Longest time for the call, in seconds. */
  readonly timeoutSeconds?: number;
  /** Attempts at the call in all, if it fails. */
  readonly attempts?: number;
  /** Credential of the call. `header` is absent for a bearer token; `value` is absent where it was a shell variable. */
  readonly secret?: {
    readonly name: string;
    readonly host: string;
    readonly header?: string;
    readonly value?: string;
  };
};

export type ParsedCurl = { readonly call: CurlCall } | { readonly problem: string };

const maxLength = 200_000;
/** Longest `timeout` of a node, in seconds. */
const maxTimeoutSeconds = 3600;

export function parseCurl(line: string): ParsedCurl {
  if (line.length > maxLength) return { problem: 'The command is too long' };
  const split = isWindowsLine(line) ? splitWindowsLine(line) : splitShellLine(line);
  if ('problem' in split) return split;
  const [program, ...words] = split.words;
  if (program === undefined || !/^(?:.*[/\\])?curl(?:\.exe)?$/i.test(program.text))
    return { problem: 'The command must begin with curl' };
  try {
    const command = new CurlCommand();
    command.read(words);
    return { call: command.call() };
  } catch (error) {
    if (error instanceof RefusedCommand) return { problem: error.message };
    throw error;
  }
}

class RefusedCommand extends Error {}

function refuse(reason: string): never {
  throw new RefusedCommand(reason);
}

/** A method that a workflow file takes; another text could even be an expression there. */
function methodIn(value: ShellWord): string {
  const method = plain(value).toUpperCase();
  return (
    httpMethods.find((each) => each === method) ?? refuse(`The method is one of ${httpMethods.join(', ')}`)
  );
}

class CurlCommand {
  readonly #headers: [name: string, value: ShellWord][] = [];
  readonly #data: string[] = [];
  #method: string | undefined;
  #url: string | undefined;
  #timeoutSeconds = 0;
  #retries = 0;
  #isJson = false;
  #isQuery = false;

  read(words: readonly ShellWord[]): void {
    const left = [...words];
    for (let word = left.shift(); word !== undefined; word = left.shift()) {
      const { option, attached } = splitOption(word);
      if (option === undefined) this.#setUrl(word);
      else if (!this.#flag(option))
        this.#option(option, attached ?? left.shift() ?? refuse(`${option} has no value`));
    }
  }

  /** False for an option that takes a value. */
  #flag(option: string): boolean {
    const reason = refusedOptions[option];
    if (reason !== undefined) refuse(`${option} is refused: ${reason}`);
    if (ignoredOptions.has(option)) return true;
    if (option === '-G' || option === '--get') this.#isQuery = true;
    else if (option === '-I' || option === '--head') this.#method = 'HEAD';
    else return false;
    return true;
  }

  #option(option: string, value: ShellWord): void {
    if (ignoredValueOptions.has(option) || this.#limit(option, value)) return;
    const header = headerOptions[option];
    if (option === '-H' || option === '--header') this.#addHeader(value);
    else if (header !== undefined) this.#headers.push([header, value]);
    else if (option === '--oauth2-bearer')
      this.#headers.push(['authorization', { ...value, text: `Bearer ${value.text}` }]);
    else if (option === '-X' || option === '--request') this.#method = methodIn(value);
    else if (option === '--url') this.#setUrl(value);
    else if (dataOptions.has(option)) this.#addData(option, plain(value));
    else refuse(`Rowbench does not know the option ${option}`);
  }

  /** False for an option that sets no limit of the call. */
  #limit(option: string, value: ShellWord): boolean {
    if (option === '-m' || option === '--max-time')
      this.#timeoutSeconds = numberIn(value, { option, most: maxTimeoutSeconds });
    else if (option === '--retry')
      this.#retries = Math.floor(numberIn(value, { option, most: maxAttempts - 1 }));
    else return false;
    return true;
  }

  #setUrl(word: ShellWord): void {
    if (this.#url !== undefined) refuse('The command calls more than one URL');
    const url = plain(word);
    this.#url = /^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? url : `http://${url}`;
  }

  #addHeader(word: ShellWord): void {
    if (word.text.startsWith('@')) refuse('Headers are not read from a file');
    const [, name, mark, text = ''] = /^([^:;]+)(:|;$)(.*)$/s.exec(word.text) ?? [];
    if (name === undefined) refuse('A header is written as "Name: value"');
    if (name.trim() !== name) refuse(blankInName(name));
    const value = { ...word, text: text.trim() };
    // To curl, "Name:" is no header at all, and "Name;" one that is empty.
    if (value.text !== '' || mark === ';') this.#headers.push([name.toLowerCase(), value]);
  }

  #addData(option: string, value: string): void {
    const isFile =
      option !== '--data-raw' && /^@|^[^=]*@/.test(option === '--data-urlencode' ? value : value.slice(0, 1));
    if (isFile) refuse(`${option} ${value} would read a file. Paste its content instead`);
    if (option === '--json') this.#isJson = true;
    if (option !== '--data-urlencode') this.#data.push(value);
    else {
      const equals = value.indexOf('=');
      this.#data.push(value.slice(0, equals + 1) + encodeURIComponent(value.slice(equals + 1)));
    }
  }

  call(): CurlCall {
    const url = this.#wholeUrl();
    const host = hostOf(url);
    const { headers, secret } = this.#splitHeaders(host);
    const data = this.#isQuery || this.#data.length === 0 ? undefined : this.#data.join('&');
    const method = this.#method ?? (data === undefined ? 'GET' : 'POST');
    const body = data === undefined ? undefined : this.#body(data, headers);
    return {
      method,
      url,
      headers: Object.fromEntries(headers),
      ...(body === undefined ? {} : { body }),
      // To curl, 0 is none.
      ...(this.#timeoutSeconds === 0 ? {} : { timeoutSeconds: this.#timeoutSeconds }),
      ...(this.#retries === 0 ? {} : { attempts: this.#retries + 1 }),
      ...(secret === undefined ? {} : { secret }),
    };
  }

  #wholeUrl(): string {
    const url = this.#url ?? refuse('The command has no URL');
    if (!/^https?:\/\/[^/?#@\s]+(?:[/?#]|$)/i.test(url))
      refuse(
        url.includes('@')
          ? 'The URL has a user name or password'
          : 'The URL must begin with http:// or https://',
      );
    const added = this.#isQuery && this.#data.length > 0 ? this.#data.join('&') : undefined;
    const [start = '', query] = url.replace(/#.*$/s, '').split(/\?(.*)/s);
    const queries = [query, added].filter((part) => part !== undefined && part !== '');
    const whole = queries.length === 0 ? start : `${start}?${queries.join('&')}`;
    const named = whole
      .split(/[?&]/)
      .slice(1)
      .map((part) => part.split('=')[0] ?? '');
    const credential = named.find(isCredentialName);
    if (credential !== undefined)
      refuse(
        `The query has a credential (${credential}). Leave it out, and name a secret in auth of the node`,
      );
    return whole;
  }

  #splitHeaders(host: string): { headers: Map<string, string>; secret: CurlCall['secret'] } {
    const headers = new Map<string, string>();
    let secret: CurlCall['secret'];
    for (const [name, value] of this.#headers) {
      if (!isCredentialName(name)) {
        if (!automatic.has(name)) headers.set(name, plain(value));
        continue;
      }
      if (secret !== undefined) refuse(`A call has one credential: ${name} is a second one`);
      secret = secretOf(name, value, host);
    }
    return { headers, secret };
  }

  #body(data: string, headers: Map<string, string>): JsonValue {
    const type = headers.get('content-type') ?? '';
    const json = this.#isJson || /json/i.test(type) ? parseJson(data) : undefined;
    if (json === undefined) {
      if (type === '') headers.set('content-type', 'application/x-www-form-urlencoded');
      const named = data.split('&').map((part) => part.split('=')[0] ?? '');
      refuseCredential(named.find(isCredentialName));
      return data;
    }
    headers.delete('accept');
    refuseCredential(credentialIn(json));
    if (!isWrittenAlike(data, json)) {
      headers.set('content-type', type === '' ? 'application/json' : type);
      return data;
    }
    headers.delete('content-type');
    return json;
  }
}

/** Headers that Rowbench sets by itself. */
const automatic = new Set(['host', 'content-length', 'accept-encoding', 'connection']);

function refuseCredential(name: string | undefined): void {
  if (name !== undefined)
    refuse(`The body has a credential (${name}). Leave it out, and name a secret in auth of the node`);
}

function credentialIn(json: JsonValue): string | undefined {
  if (Array.isArray(json)) return (json as JsonValue[]).map(credentialIn).find((name) => name !== undefined);
  if (!isJsonObject(json)) return undefined;
  for (const [name, value] of Object.entries(json)) {
    const found = typeof value === 'string' && isCredentialName(name) ? name : credentialIn(value ?? null);
    if (found !== undefined) return found;
  }
  return undefined;
}

function secretOf(header: string, { text, variables }: ShellWord, host: string): CurlCall['secret'] {
  const [variable, another] = variables;
  if (another !== undefined) refuse(`The header ${header} has two variables of the shell`);
  const bearer = header === 'authorization' ? /^Bearer(?:\s+(.*))?$/is.exec(text) : null;
  if (header === 'authorization' && bearer === null)
    refuse(
      'The header authorization has no bearer token. Leave it out, and name a secret in auth of the node',
    );
  const value = bearer?.[1] ?? text;
  if (variable === undefined && value === '') refuse(`The header ${header} is empty`);
  return {
    name: secretNameFor(host, variable),
    host,
    ...(bearer === null ? { header } : {}),
    ...(variable === undefined ? { value } : {}),
  };
}

/** The text of a word without variables: what they stand for is not known here. */
function plain({ text, variables }: ShellWord): string {
  const [variable] = variables;
  if (variable !== undefined) refuse(`$${variable} is a variable of the shell. Paste its value instead`);
  return text;
}

function numberIn(word: ShellWord, { option, most }: { option: string; most: number }): number {
  const text = plain(word);
  const value = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : NaN;
  return value <= most
    ? value
    : refuse(`${option} ${text}: Rowbench takes a number from 0 to ${count(most)}`);
}

/** `--data=x` and `-dx` are options with their value. */
function splitOption(word: ShellWord): { option?: string; attached?: ShellWord } {
  const { text } = word;
  if (!text.startsWith('-') || text === '-') return {};
  const long = /^(--[a-z0-9.-]+)=(.*)$/is.exec(text);
  if (long !== null) return { option: long[1] ?? '', attached: { ...word, text: long[2] ?? '' } };
  if (text.startsWith('--') || text.length === 2 || ignoredOptions.has(text)) return { option: text };
  return { option: text.slice(0, 2), attached: { ...word, text: text.slice(2) } };
}

const hostOf = (url: string): string => (/^https?:\/\/([^/?#]+)/i.exec(url)?.[1] ?? '').toLowerCase();

function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
