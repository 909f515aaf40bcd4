// What each small document holds, wherever it is stored: in a file of a data folder, or in a team's database.
import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { tokensFileSchema, type TokensFile } from '../../domain/access/access-token.ts';
import { hostedFileSchema, type HostedFile } from '../../domain/hosted/hosted-connection.ts';
import { keysFileSchema, type KeysFile } from '../../domain/keys/api-key.ts';
import { browsersFileSchema, type BrowsersFile } from '../../domain/paired-browser.ts';
import { retentionFileSchema, type RetentionFile } from '../../domain/run/retention-file.ts';
import { secretsFileSchema, type SecretsFile } from '../../domain/secrets/secret.ts';
import { defaultSettings, settingsSchema, type Settings } from '../../domain/settings.ts';
import { workflowsFileSchema, type WorkflowsFile } from '../../domain/trust/workflows-file.ts';

export type DocumentDefinition<T extends object> = {
  /** Its file is called `<name>.json`. */
  readonly name: string;
  readonly schema: z.ZodType<T>;
  /** The value of a document that was never written. */
  readonly initial: () => T;
};

export const settingsDocument: DocumentDefinition<Settings> = {
  name: 'settings',
  schema: settingsSchema,
  initial: () => defaultSettings,
};

export const keysDocument: DocumentDefinition<KeysFile> = {
  name: 'keys',
  schema: keysFileSchema,
  initial: () => ({ version: 1, keys: [] }),
};

/** Access tokens, of a server with users. */
export const tokensDocument: DocumentDefinition<TokensFile> = {
  name: 'tokens',
  schema: tokensFileSchema,
  initial: () => ({ version: 1, tokens: [] }),
};

/** The user's decisions about workflows. */
export const decisionsDocument: DocumentDefinition<WorkflowsFile> = {
  name: 'workflows',
  schema: workflowsFileSchema,
  initial: () => ({ version: 1, workflows: [] }),
};

export const secretsDocument: DocumentDefinition<SecretsFile> = {
  name: 'secrets',
  schema: secretsFileSchema,
  initial: () => ({ version: 1, secrets: [] }),
};

/** Connections to hosted services. */
export const hostedDocument: DocumentDefinition<HostedFile> = {
  name: 'hosted',
  schema: hostedFileSchema,
  initial: () => ({ version: 1, connections: [] }),
};

/** The state of retention. */
export const retentionDocument: DocumentDefinition<RetentionFile> = {
  name: 'retention',
  schema: retentionFileSchema,
  initial: () => ({ version: 1 }),
};

/** The browsers that may open the app. */
export const browsersDocument: DocumentDefinition<BrowsersFile> = {
  name: 'browsers',
  schema: browsersFileSchema,
  initial: () => ({ version: 1, folderId: randomUUID(), browsers: [] }),
};
