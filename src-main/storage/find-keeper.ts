// Finds the data folder that a workflow file named by the user belongs to, for any form of its path.
import { basename, dirname, join } from 'node:path';
import { workflowIdPattern } from '../domain/workflow/workflow-keys.ts';
import { nodeFileSystem } from '../files/node-file-system.ts';
import { ownWorkflowFolder } from './data-location.ts';
import { databaseName } from './run-database.ts';

/** The data folder that keeps a workflow file, and the id of the import that it belongs to. */
type Keeper = { readonly dataDir: string; readonly importedAs?: string };

/** The data folder of a file; undefined for a file in none. */
export async function findKeeper(path: string): Promise<Keeper | undefined> {
  const real = await nodeFileSystem.realPath(path);
  if (real === undefined) return undefined;
  const folder = dirname(real);
  const above = dirname(folder);
  if (await isOwnFolder(folder)) return { dataDir: dirname(folder) };
  const isImport = workflowIdPattern.test(basename(folder)) && (await isOwnFolder(above));
  return isImport ? { dataDir: dirname(above), importedAs: basename(folder) } : undefined;
}

/** True for a data folder: each has a database of runs since its first start. */
async function isOwnFolder(folder: string): Promise<boolean> {
  const dataDir = dirname(folder);
  if (folder !== ownWorkflowFolder(dataDir)) return false;
  return (await nodeFileSystem.stat(join(dataDir, databaseName)))?.isFile === true;
}
