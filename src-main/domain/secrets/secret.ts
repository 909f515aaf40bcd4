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
