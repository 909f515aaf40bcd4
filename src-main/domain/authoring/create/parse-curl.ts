// Makes an HTTP call of a pasted curl command. Nothing is executed, and a credential never becomes part of the call: it is
// handed out apart, to be stored as a secret.
import { count } from '../../format.ts';
import type { JsonValue } from '../../../base/json-value.ts';
import {
  ignoredValueOptions,
  ignoredOptions,
  headerOptions,
  refusedOptions,
  dataOptions,
  formOptions,
} from './curl-options.ts';
import { maxAttempts } from '../../nodes/max-attempts.ts';
import { blankInName } from '../../upstream/header-problem.ts';
import { isWrittenAlike } from '../../rows/exact-json.ts';
import { credentialIn, isCredentialName } from './credentials.ts';
import { headerSecret, loginSecret, querySecret, urlText, type CurlSecret } from './curl-secret.ts';
import { refuseCommand, RefusedCommand } from './refused-command.ts';
import { splitShellLine, type ShellWord, isWindowsLine, splitWindowsLine } from './split-shell-line.ts';
import { httpMethods } from '../../upstream/http-methods.ts';

/** A call as a node of type `http` describes it. */
export type CurlCall = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: JsonValue;
  /** Form of the body; absent: text or JSON. */
  readonly bodyAs?: 'multipart';
  /** Longest time for the call, in seconds. */
  readonly timeoutSeconds?: number;
  /** Attempts at the call in all, if it fails. */
  readonly attempts?: number;
  readonly secret?: CurlSecret;
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

type SplitCall = {
  readonly url: string;
  readonly headers: Map<string, string>;
  readonly secret: CurlSecret | undefined;
};

/** A method that a workflow file takes; another text could even be an expression there. */
function methodIn(value: ShellWord): string {
  const method = plain(value).toUpperCase();
  return (
    httpMethods.find((each) => each === method) ??
    refuseCommand(`The method is one of ${httpMethods.join(', ')}`)
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
  /** Value of `-u`, or the login of the URL. */
  #login: ShellWord | undefined;
  #parts: [name: string, value: string][] = [];

  read(words: readonly ShellWord[]): void {
    const left = [...words];
    for (let word = left.shift(); word !== undefined; word = left.shift()) {
      const { option, attached } = splitOption(word);
      if (option === undefined) this.#setUrl(word);
      else if (!this.#flag(option))
        this.#option(option, attached ?? left.shift() ?? refuseCommand(`${option} has no value`));
    }
  }

  /** False for an option that takes a value. */
  #flag(option: string): boolean {
    const reason = refusedOptions[option];
    if (reason !== undefined) refuseCommand(`${option} is refused: ${reason}`);
    if (ignoredOptions.has(option)) return true;
    if (option === '-G' || option === '--get') this.#isQuery = true;
    else if (option === '-I' || option === '--head') this.#method = 'HEAD';
    else return false;
    return true;
  }

  #option(option: string, value: ShellWord): void {
    if (ignoredValueOptions.has(option) || this.#limit(option, value) || this.#content(option, value)) return;
    if (this.#headerOption(option, value)) return;
    if (option === '-u' || option === '--user') this.#login = value;
    else if (option === '-X' || option === '--request') this.#method = methodIn(value);
    else if (option === '--url') this.#setUrl(value);
    else refuseCommand(`Rowbench does not know the option ${option}`);
  }

  /** False for an option that sets no header. */
  #headerOption(option: string, value: ShellWord): boolean {
    const header = headerOptions[option];
    if (option === '-H' || option === '--header') this.#addHeader(value);
    else if (header !== undefined) this.#headers.push([header, value]);
    else if (option === '--oauth2-bearer')
      this.#headers.push(['authorization', { ...value, text: `Bearer ${value.text}` }]);
    else return false;
    return true;
  }

  /** False for an option that gives nothing to send. */
  #content(option: string, value: ShellWord): boolean {
    if (formOptions.has(option)) this.#addPart(option, plain(value));
    else if (dataOptions.has(option)) this.#addData(option, plain(value));
    else return false;
    return true;
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
    if (this.#url !== undefined) refuseCommand('The command calls more than one URL');
    const url = plain(word);
    this.#url = /^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? url : `http://${url}`;
  }

  #addHeader(word: ShellWord): void {
    if (word.text.startsWith('@')) refuseCommand('Headers are not read from a file');
    const [, name, mark, text = ''] = /^([^:;]+)(:|;$)(.*)$/s.exec(word.text) ?? [];
    if (name === undefined) refuseCommand('A header is written as "Name: value"');
    if (name.trim() !== name) refuseCommand(blankInName(name));
    const value = { ...word, text: text.trim() };
    // To curl, "Name:" is no header at all, and "Name;" one that is empty.
    if (value.text !== '' || mark === ';') this.#headers.push([name.toLowerCase(), value]);
  }

  #addPart(option: string, text: string): void {
    const equals = text.indexOf('=');
    if (equals < 1) refuseCommand(`${option} is written as "name=value"`);
    const value = text.slice(equals + 1);
    if (option !== '--form-string' && /^[@<]/.test(value))
      refuseCommand(`${option} ${text} would read a file. Take the file from a value of the row instead`);
    this.#parts.push([text.slice(0, equals), value]);
  }

  #addData(option: string, value: string): void {
    const isFile =
      option !== '--data-raw' && /^@|^[^=]*@/.test(option === '--data-urlencode' ? value : value.slice(0, 1));
    if (isFile) refuseCommand(`${option} ${value} would read a file. Paste its content instead`);
    if (option === '--json') this.#isJson = true;
    if (option !== '--data-urlencode') this.#data.push(value);
    else {
      const equals = value.indexOf('=');
      this.#data.push(value.slice(0, equals + 1) + encodeURIComponent(value.slice(equals + 1)));
    }
  }

  call(): CurlCall {
    const { url, host, secrets } = this.#splitUrl();
    const { headers, secret } = this.#splitHeaders(host, secrets);
    if (this.#parts.length > 0) return this.#form({ url, headers, secret });
    const data = this.#isQuery || this.#data.length === 0 ? undefined : this.#data.join('&');
    const method = this.#method ?? (data === undefined ? 'GET' : 'POST');
    const body = data === undefined ? undefined : this.#body(data, headers);
    return {
      method,
      url,
      headers: Object.fromEntries(headers),
      ...(body === undefined ? {} : { body }),
      ...this.#limits(),
      ...(secret === undefined ? {} : { secret }),
    };
  }

  /** To curl, 0 is no limit. */
  #limits(): Pick<CurlCall, 'timeoutSeconds' | 'attempts'> {
    return {
      ...(this.#timeoutSeconds === 0 ? {} : { timeoutSeconds: this.#timeoutSeconds }),
      ...(this.#retries === 0 ? {} : { attempts: this.#retries + 1 }),
    };
  }

  /** A call that sends a form in parts. */
  #form({ url, headers, secret }: SplitCall): CurlCall {
    if (this.#data.length > 0) refuseCommand('A call sends data or a form: this command has both');
    const named = new Map<string, string[]>();
    for (const [name, value] of this.#parts) named.set(name, [...(named.get(name) ?? []), value]);
    refuseCredential([...named.keys()].find(isCredentialName));
    headers.delete('content-type');
    const body = [...named].map(
      ([name, values]) => [name, values.length === 1 ? (values[0] ?? '') : values] as const,
    );
    return {
      method: this.#method ?? 'POST',
      url,
      headers: Object.fromEntries(headers),
      body: Object.fromEntries(body),
      bodyAs: 'multipart',
      ...this.#limits(),
      ...(secret === undefined ? {} : { secret }),
    };
  }

  /** The URL without its credentials. */
  #splitUrl(): { url: string; host: string; secrets: CurlSecret[] } {
    const written = this.#wholeUrl();
    const host = hostOf(written);
    const login = this.#login;
    const secrets = login === undefined ? [] : [loginSecret(login, host)];
    const [start = '', query] = written.split(/\?(.*)/s);
    const pairs = query === undefined ? [] : query.split('&');
    const others = pairs.filter((pair) => {
      const [name = '', value = ''] = pair.split(/=(.*)/s);
      if (!isCredentialName(name)) return true;
      secrets.push(querySecret(name, value, host));
      return false;
    });
    return { url: others.length === 0 ? start : `${start}?${others.join('&')}`, host, secrets };
  }

  #wholeUrl(): string {
    const url = this.#withoutLogin(this.#url ?? refuseCommand('The command has no URL'));
    if (!/^https?:\/\/[^/?#@\s]+(?:[/?#]|$)/i.test(url))
      refuseCommand('The URL must begin with http:// or https://');
    const added = this.#isQuery && this.#data.length > 0 ? this.#data.join('&') : undefined;
    const [start = '', query] = url.replace(/#.*$/s, '').split(/\?(.*)/s);
    const queries = [query, added].filter((part) => part !== undefined && part !== '');
    return queries.length === 0 ? start : `${start}?${queries.join('&')}`;
  }

  /** Takes the login out of `https://user:password@host`; `-u` goes before it, as in curl. */
  #withoutLogin(url: string): string {
    const [, scheme = '', login, rest = ''] = /^([a-z]+:\/\/)([^/?#@]*)@(.*)$/is.exec(url) ?? [];
    if (login === undefined) return url;
    this.#login ??= { text: urlText(login), variables: [] };
    return `${scheme}${rest}`;
  }

  #splitHeaders(
    host: string,
    known: readonly CurlSecret[],
  ): { headers: Map<string, string>; secret: CurlCall['secret'] } {
    const headers = new Map<string, string>();
    const [first, second] = known;
    if (second !== undefined)
      refuseCommand(`A call has one credential: ${second.query ?? second.name} is a second one`);
    let secret = first;
    for (const [name, value] of this.#headers) {
      if (!isCredentialName(name)) {
        if (!automatic.has(name)) headers.set(name, plain(value));
        continue;
      }
      if (secret !== undefined) refuseCommand(`A call has one credential: ${name} is a second one`);
      secret = headerSecret(name, value, host);
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
    refuseCommand(`The body has a credential (${name}). Leave it out, and name a secret in auth of the node`);
}

/** The text of a word without variables: what they stand for is not known here. */
function plain({ text, variables }: ShellWord): string {
  const [variable] = variables;
  if (variable !== undefined)
    refuseCommand(`$${variable} is a variable of the shell. Paste its value instead`);
  return text;
}

function numberIn(word: ShellWord, { option, most }: { option: string; most: number }): number {
  const text = plain(word);
  const value = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : NaN;
  return value <= most
    ? value
    : refuseCommand(`${option} ${text}: Rowbench takes a number from 0 to ${count(most)}`);
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
