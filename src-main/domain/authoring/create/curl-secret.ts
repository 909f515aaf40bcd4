// The credential of a pasted curl command: its value, apart from the call, and where the call carries it.
import { secretNameFor } from './credentials.ts';
import { refuseCommand } from './refused-command.ts';
import type { ShellWord } from './split-shell-line.ts';

/** Without a carrier, it is a bearer token. */
export type CurlSecret = {
  readonly name: string;
  readonly host: string;
  readonly header?: string;
  readonly query?: string;
  readonly scheme?: string;
  /** Basic authentication; without a user, the value is the whole login. */
  readonly basic?: { readonly user?: string };
  /** Absent where it was a shell variable. */
  readonly value?: string;
};

/** The secret in a header. Throws RefusedCommand. */
export function headerSecret(header: string, { text, variables }: ShellWord, host: string): CurlSecret {
  const [variable, another] = variables;
  if (another !== undefined) refuseCommand(`The header ${header} has two variables of the shell`);
  const behind = header === 'authorization' ? valueBehindScheme(text, variable !== undefined) : undefined;
  const value = behind?.value ?? text;
  if (variable === undefined && value === '') refuseCommand(`The header ${header} is empty`);
  const carrier = behind === undefined ? { header } : schemeOf(behind.scheme);
  return { ...secretWith(value, variable, host), ...carrier };
}

/** Undefined without a scheme, and for one that takes several values: the secret is the whole header then. */
function valueBehindScheme(text: string, isVariable: boolean): { scheme: string; value: string } | undefined {
  const [, scheme, value = ''] = /^([\w!#$%&'*+.^`|~-]+)(?:\s+([^,]*))?$/s.exec(text) ?? [];
  if (scheme === undefined) return undefined;
  return value !== '' || isVariable || isBearer(scheme) ? { scheme, value } : undefined;
}

const isBearer = (scheme: string): boolean => scheme.toLowerCase() === 'bearer';

const schemeOf = (scheme: string): Pick<CurlSecret, 'scheme'> => (isBearer(scheme) ? {} : { scheme });

/** The secret of a login such as `user:password`. A user name without a password is the secret. Throws RefusedCommand. */
export function loginSecret({ text, variables }: ShellWord, host: string): CurlSecret {
  const [variable] = variables;
  const [, user = text, password = ''] = /^([^:]*):(.*)$/s.exec(text) ?? [];
  if (variable !== undefined)
    return { ...secretWith('', variable, host), basic: userBefore(text, variables) };
  if (user === '') refuseCommand('The login is empty');
  return password === ''
    ? { ...secretWith(user, undefined, host), basic: {} }
    : { ...secretWith(password, undefined, host), basic: { user } };
}

/** The user name before a variable that is the password; none for a variable that is the whole login. */
function userBefore(text: string, variables: readonly string[]): { readonly user?: string } {
  const [, user] = /^([^:]+):$/.exec(text) ?? [];
  if (variables.length > 1 || (text !== '' && user === undefined))
    refuseCommand('The login has variables of the shell beside other text. Paste their values instead');
  return user === undefined ? {} : { user };
}

/** The secret in a parameter of the query. Throws RefusedCommand. */
export function querySecret(name: string, value: string, host: string): CurlSecret {
  if (value === '') refuseCommand(`The credential ${name} in the query is empty`);
  return { ...secretWith(urlText(value), undefined, host), query: urlText(name) };
}

/** A part of a URL without its escapes. Throws RefusedCommand. */
export function urlText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return refuseCommand('The URL has an escape (%) that stands for no character');
  }
}

const secretWith = (value: string, variable: string | undefined, host: string): CurlSecret => ({
  name: secretNameFor(host, variable),
  host,
  ...(variable === undefined ? { value } : {}),
});
