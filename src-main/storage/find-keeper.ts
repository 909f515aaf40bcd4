// Tells whether a file that a user named lies where a data folder keeps its workflows, whatever way it was named.
import { basename, dirname, join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { workflowsFileSchema, type WorkflowsFile } from '../domain/trust/workflows-file.ts';
import { workflowIdPattern } from '../domain/workflow/workflow-keys.ts';
import { ownWorkflowFolder } from './data-location.ts';
import type { StoreParts } from './durable/store-parts.ts';
import { JsonDocument } from './json-document.ts';
import { readOnlyParts } from './read-only-parts.ts';
import { databaseName } from './run-database.ts';

type Given = { readonly clock: Clock; readonly log: Log };

/** The data folder that keeps a workflow file, and the id of the import that it belongs to. */
type Keeper = { readonly dataDir: string; readonly importedAs?: string };

/** Undefined for a file that no data folder keeps. */
export async function findKeeper(path: string, given: Given): Promise<Keeper | undefined> {
  const parts = readOnlyParts(given);
  const real = await parts.fileSystem.realPath(path);
  if (real === undefined) return undefined;
  const folder = dirname(real);
  const above = dirname(folder);
  if (await isOwnFolder(parts, folder)) return { dataDir: dirname(folder) };
  const isImport = workflowIdPattern.test(basename(folder)) && (await isOwnFolder(parts, above));
  return isImport ? { dataDir: dirname(above), importedAs: basename(folder) } : undefined;
}

/**
 * The user's decisions about the workflows of a data folder that this process does not hold. Throws `data_unreadable`.
 */
export const openStoredDecisions = (dataDir: string, given: Given): Promise<JsonDocument<WorkflowsFile>> =>
  openWorkflowsIn(readOnlyParts(given), dataDir);

/** The user's decisions about the workflows of a data folder. Throws `data_unreadable`. */
export const openWorkflowsIn = (parts: StoreParts, folder: string): Promise<JsonDocument<WorkflowsFile>> =>
  JsonDocument.open<WorkflowsFile>(parts, {
    path: join(folder, 'workflows.json'),
    label: 'workflows.json',
    schema: workflowsFileSchema,
    initial: { version: 1, workflows: [] },
  });

/** The store of runs is there from the first start on. */
async function isOwnFolder({ fileSystem }: StoreParts, folder: string): Promise<boolean> {
  const dataDir = dirname(folder);
  if (folder !== ownWorkflowFolder(dataDir)) return false;
  return (await fileSystem.stat(join(dataDir, databaseName)))?.isFile === true;
}
