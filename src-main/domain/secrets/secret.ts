// A secret: a credential that a call sends along. A workflow file holds only the name of a secret.
import { z } from 'zod';

export const secretNamePattern = /^[A-Z][A-Z0-9_]{0,63}$/;
export const secretNameForm = 'capital letters, digits and "_", 64 in all at most, a letter first';

/** A name or an address, in lower case, and the port where it is not that of https. */
export const secretHostPattern =
  /^(?:[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/;

/** Text that a header can carry, without blanks at its ends. */
export const secretValuePattern =
  /^[\u0021-\u007e\u0080-\u00ff](?:[\u0020-\u007e\u0080-\u00ff]*[\u0021-\u007e\u0080-\u00ff])?$/;
/** A shorter one could be guessed, and to look for it in answers would find it in ordinary words. */
export const shortestSecret = 8;
/** The headers of one request have less room than this together on most servers. */
export const longestSecret = 8192;

export type Secret = {
  readonly name: string;
  readonly value: string;
  /** Where it may be sent, as `secretHostPattern` has it. */
  readonly hosts: readonly string[];
};

const storedSecretSchema = z.object({
  name: z.string().regex(secretNamePattern),
  hosts: z.array(z.string().regex(secretHostPattern)),
  createdAt: z.iso.datetime(),
  /** The value, readable only with the key that is kept apart. */
  sealed: z.string(),
});
export type StoredSecret = z.infer<typeof storedSecretSchema>;

/** `secrets.json`. A list, because a name is anybody's choice. */
export const secretsFileSchema = z.object({ version: z.literal(1), secrets: z.array(storedSecretSchema) });
export type SecretsFile = z.infer<typeof secretsFileSchema>;

const prefix = 'ROWBENCH_SECRET_';
const hostSuffix = '_HOST';
/** Variable with the path of the file that seals a team's secrets; it is no secret itself. */
const keyFileVariable = 'ROWBENCH_SECRET_KEY_FILE';

/**
 * Secrets as an automated build hands them over: `ROWBENCH_SECRET_CRM_TOKEN` is the value of CRM_TOKEN, and
 * `ROWBENCH_SECRET_CRM_TOKEN_HOST` where it may be sent, several hosts with commas between them.
 */
export function environmentSecrets(env: { readonly [name: string]: string | undefined }): readonly Secret[] {
  return Object.entries(env).flatMap(([variable, value = '']) => {
    const name = variable.slice(prefix.length);
    const isSecret =
      variable.startsWith(prefix) &&
      variable !== keyFileVariable &&
      secretNamePattern.test(name) &&
      !name.endsWith(hostSuffix);
    return isSecret && value !== '' ? [{ name, value, hosts: hostsIn(env[`${variable}${hostSuffix}`]) }] : [];
  });
}

const hostsIn = (list = ''): readonly string[] =>
  list
    .split(',')
    .map((host) => host.trim().toLowerCase())
    .filter((host) => host !== '');
