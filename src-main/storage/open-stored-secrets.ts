import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { secretsFileSchema, type SecretsFile } from '../domain/secrets/secret.ts';
import type { StoreParts } from './durable/store-parts.ts';
import { JsonDocument } from './json-document.ts';
import { KeyFileVault, type KeySeal } from './key-file-vault.ts';
import { readOnlyParts } from './read-only-parts.ts';

export type StoredSecrets = { readonly document: JsonDocument<SecretsFile>; readonly vault: KeyFileVault };

/** The secrets of a data folder that this process has. Throws `data_unreadable`. */
export const openSecretsIn = async (
  parts: StoreParts,
  folder: string,
  keySeal?: KeySeal,
): Promise<StoredSecrets> => ({
  document: await JsonDocument.open<SecretsFile>(parts, {
    path: join(folder, 'secrets.json'),
    label: 'secrets.json',
    schema: secretsFileSchema,
    initial: { version: 1, secrets: [] },
  }),
  vault: new KeyFileVault(parts, join(folder, 'secrets.key'), keySeal),
});

/** Those of any data folder, without taking its lock: for using them alone. None where there is no such folder. */
export const openStoredSecrets = (
  folder: string,
  given: { readonly clock: Clock; readonly log: Log },
): Promise<StoredSecrets> => openSecretsIn(readOnlyParts(given), folder);
