// Opens the documents of a data folder, each in a JSON file of its own. Who calls: DataFolder; and app, for the documents
// of a folder that another process may have. Every function throws `data_unreadable`.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { isUnreadable } from '../domain/store-errors.ts';
import { keysFileSchema, type KeysFile } from '../domain/keys/api-key.ts';
import { browsersFileSchema, type BrowsersFile } from '../domain/paired-browser.ts';
import { retentionFileSchema, type RetentionFile } from '../domain/run/retention-file.ts';
import { secretsFileSchema, type SecretsFile } from '../domain/secrets/secret.ts';
import { defaultSettings, settingsSchema, type Settings } from '../domain/settings.ts';
import { workflowsFileSchema, type WorkflowsFile } from '../domain/trust/workflows-file.ts';
import { hasCode } from '../files/file-system.ts';
import { previousOf } from './durable/durable-files.ts';
import { corruptSuffix } from './durable/json-file.ts';
import { createStoreDeps, type StoreDeps } from './durable/store-deps.ts';
import { JsonDocument } from './json-document.ts';
import { KeyFileVault, type KeySeal } from './key-file-vault.ts';

export type StoredSecrets = { readonly document: JsonDocument<SecretsFile>; readonly vault: KeyFileVault };

type DocumentOptions<T extends object> = Omit<Parameters<typeof JsonDocument.open<T>>[1], 'path'>;

const open = <T extends object>(
  deps: StoreDeps,
  folder: string,
  options: DocumentOptions<T>,
): Promise<JsonDocument<T>> => JsonDocument.open<T>(deps, { path: join(folder, options.label), ...options });

export const openSettings = (deps: StoreDeps, folder: string): Promise<JsonDocument<Settings>> =>
  open(deps, folder, {
    label: 'settings.json',
    schema: settingsSchema,
    initial: defaultSettings,
    isEditable: true,
  });

export const openKeys = (deps: StoreDeps, folder: string): Promise<JsonDocument<KeysFile>> =>
  open(deps, folder, { label: 'keys.json', schema: keysFileSchema, initial: { version: 1, keys: [] } });

/** The user's decisions about workflows. */
export const openDecisions = (deps: StoreDeps, folder: string): Promise<JsonDocument<WorkflowsFile>> =>
  open(deps, folder, {
    label: 'workflows.json',
    schema: workflowsFileSchema,
    initial: { version: 1, workflows: [] },
  });

export const openSecrets = async (
  deps: StoreDeps,
  folder: string,
  keySeal?: KeySeal,
): Promise<StoredSecrets> => ({
  document: await open<SecretsFile>(deps, folder, {
    label: 'secrets.json',
    schema: secretsFileSchema,
    initial: { version: 1, secrets: [] },
  }),
  vault: new KeyFileVault(deps, join(folder, 'secrets.key'), keySeal),
});

/** The state of retention. */
export const openRetention = (deps: StoreDeps, folder: string): Promise<JsonDocument<RetentionFile>> =>
  openOrReplace(
    deps,
    folder,
    { label: 'retention.json', schema: retentionFileSchema, initial: { version: 1 } },
    'the age of runs is measured anew',
  );

/** The browsers that may open the app. */
export const openBrowsers = (deps: StoreDeps, folder: string): Promise<JsonDocument<BrowsersFile>> =>
  openOrReplace(
    deps,
    folder,
    {
      label: 'browsers.json',
      schema: browsersFileSchema,
      initial: { version: 1, folderId: randomUUID(), browsers: [] },
    },
    'browsers need a new link: rowbench open',
  );

/** Opens a document that no run depends on. A damaged file is renamed and replaced, so that it does not prevent a start. */
async function openOrReplace<T extends object>(
  deps: StoreDeps,
  folder: string,
  ...[options, consequence]: [options: DocumentOptions<T>, consequence: string]
): Promise<JsonDocument<T>> {
  try {
    return await open(deps, folder, options);
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    const { label } = options;
    const suffix = corruptSuffix(deps.clock);
    const path = join(folder, label);
    for (const damaged of [path, previousOf(path)])
      await deps.files.rename(damaged, damaged + suffix).catch((failure: unknown) => {
        if (!hasCode(failure, 'ENOENT')) throw failure;
      });
    deps.report(`${error.message}. It was kept as ${label}${suffix}, and ${consequence}.`);
    return open(deps, folder, options);
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
