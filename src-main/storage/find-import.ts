// Tells whether a file that a user named lies where a data folder keeps an import, whatever way it was named.
import { basename, dirname, join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { workflowsFileSchema, type WorkflowsFile } from '../domain/trust/workflows-file.ts';
import { workflowIdPattern } from '../domain/workflow/workflow-keys.ts';
import type { StoreParts } from './durable/store-parts.ts';
import { JsonDocument } from './json-document.ts';
import { readOnlyParts } from './read-only-parts.ts';

export type FoundImport = { readonly importedAs: string; readonly document: JsonDocument<WorkflowsFile> };

/** The import that the file belongs to, with the decisions of its data folder. Throws `data_unreadable`. */
export async function findImport(
  path: string,
  given: { readonly clock: Clock; readonly log: Log },
): Promise<FoundImport | undefined> {
  const parts = readOnlyParts(given);
  const real = await parts.fileSystem.realPath(path);
  if (real === undefined) return undefined;
  const folder = dirname(real);
  const dataDir = dirname(dirname(folder));
  const isImport = basename(dirname(folder)) === 'workflows' && workflowIdPattern.test(basename(folder));
  if (!isImport || !(await isDataFolder(parts, dataDir))) return undefined;
  return { importedAs: basename(folder), document: await openWorkflowsIn(parts, dataDir) };
}

/** What was decided about the workflows of a data folder. Throws `data_unreadable`. */
export const openWorkflowsIn = (parts: StoreParts, folder: string): Promise<JsonDocument<WorkflowsFile>> =>
  JsonDocument.open<WorkflowsFile>(parts, {
    path: join(folder, 'workflows.json'),
    label: 'workflows.json',
    schema: workflowsFileSchema,
    initial: { version: 1, workflows: [] },
  });

/** Both are there from the first start on. */
async function isDataFolder({ fileSystem }: StoreParts, path: string): Promise<boolean> {
  const found = await Promise.all(['runs', 'snapshots'].map((name) => fileSystem.stat(join(path, name))));
  return found.every((each) => each?.isFolder === true);
}
