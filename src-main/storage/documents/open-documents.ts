// Opens the documents of a data folder, each in a JSON file of its own. Who calls: DataFolder; and app, for the documents
// of a folder that another process may have. Every function throws `data_unreadable`.
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { isUnreadable } from '../../domain/store-errors.ts';
import type { TokensFile } from '../../domain/access/access-token.ts';
import type { HostedFile } from '../../domain/hosted/hosted-connection.ts';
import type { KeysFile } from '../../domain/keys/api-key.ts';
import type { BrowsersFile } from '../../domain/paired-browser.ts';
import type { RetentionFile } from '../../domain/run/retention-file.ts';
import type { SecretsFile } from '../../domain/secrets/secret.ts';
import type { Settings } from '../../domain/settings.ts';
import type { WorkflowsFile } from '../../domain/trust/workflows-file.ts';
import { hasCode } from '../../files/file-system.ts';
import {
  browsersDocument,
  decisionsDocument,
  hostedDocument,
  keysDocument,
  retentionDocument,
  secretsDocument,
  settingsDocument,
  tokensDocument,
  type DocumentDefinition,
} from './document-definitions.ts';
import { previousOf } from '../durable/durable-files.ts';
import { corruptSuffix } from '../durable/json-file.ts';
import { createStoreDeps, type StoreDeps } from '../durable/store-deps.ts';
import { JsonDocument, type StoredDocument } from './json-document.ts';
import { KeyFileVault, type KeySeal } from './key-file-vault.ts';

export type StoredSecrets = {
  readonly document: StoredDocument<SecretsFile>;
  readonly vault: Pick<KeyFileVault, 'seal' | 'open'>;
};

const labelOf = ({ name }: { readonly name: string }): string => `${name}.json`;

const open = <T extends object>(
  deps: StoreDeps,
  folder: string,
  definition: DocumentDefinition<T> & { readonly isEditable?: true },
): Promise<JsonDocument<T>> => {
  const { initial, ...options } = definition;
  const label = labelOf(definition);
  return JsonDocument.open<T>(deps, { ...options, path: join(folder, label), label, initial: initial() });
};

export const openSettings = (deps: StoreDeps, folder: string): Promise<JsonDocument<Settings>> =>
  open(deps, folder, { ...settingsDocument, isEditable: true });

export const openKeys = (deps: StoreDeps, folder: string): Promise<JsonDocument<KeysFile>> =>
  open(deps, folder, keysDocument);

/** Access tokens, for a server with users. */
export const openTokens = (deps: StoreDeps, folder: string): Promise<JsonDocument<TokensFile>> =>
  open(deps, folder, tokensDocument);

export const openDecisions = (deps: StoreDeps, folder: string): Promise<JsonDocument<WorkflowsFile>> =>
  open(deps, folder, decisionsDocument);

export const openHosted = (deps: StoreDeps, folder: string): Promise<JsonDocument<HostedFile>> =>
  open(deps, folder, hostedDocument);

export const openSecrets = async (
  deps: StoreDeps,
  folder: string,
  keySeal?: KeySeal,
): Promise<StoredSecrets> => ({
  document: await open(deps, folder, secretsDocument),
  vault: new KeyFileVault(deps, join(folder, 'secrets.key'), keySeal),
});

export const openRetention = (deps: StoreDeps, folder: string): Promise<JsonDocument<RetentionFile>> =>
  openOrReplace(deps, folder, retentionDocument, 'the age of runs is measured anew');

export const openBrowsers = (deps: StoreDeps, folder: string): Promise<JsonDocument<BrowsersFile>> =>
  openOrReplace(deps, folder, browsersDocument, 'browsers need a new link');

/** Opens a document that no run depends on. A damaged file is renamed and replaced, so that it does not prevent a start. */
async function openOrReplace<T extends object>(
  deps: StoreDeps,
  folder: string,
  ...[definition, consequence]: [definition: DocumentDefinition<T>, consequence: string]
): Promise<JsonDocument<T>> {
  try {
    return await open(deps, folder, definition);
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    const label = labelOf(definition);
    const suffix = corruptSuffix(deps.clock);
    const path = join(folder, label);
    for (const damaged of [path, previousOf(path)])
      await deps.files.rename(damaged, damaged + suffix).catch((failure: unknown) => {
        if (!hasCode(failure, 'ENOENT')) throw failure;
      });
    deps.report(`${error.message}. It was kept as ${label}${suffix}, and ${consequence}.`);
    return open(deps, folder, definition);
  }
}

type ReadOnlyOptions = { readonly clock: Clock; readonly log: Log };

/** The secrets of any data folder, read-only. A missing folder has none. */
export const openStoredSecrets = (folder: string, options: ReadOnlyOptions): Promise<StoredSecrets> =>
  openSecrets(createStoreDeps({ clock: options.clock, log: options.log, isReadOnly: true }), folder);

/** The user's decisions in a data folder that another process may have. */
export const openStoredDecisions = (
  folder: string,
  options: ReadOnlyOptions,
): Promise<JsonDocument<WorkflowsFile>> =>
  openDecisions(createStoreDeps({ clock: options.clock, log: options.log, isReadOnly: true }), folder);
