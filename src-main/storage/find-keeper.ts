// Tells whether a file that a user named lies where a data folder keeps its workflows, whatever path the user gave.
import { basename, dirname, join } from 'node:path';
import { workflowIdPattern } from '../domain/workflow/workflow-keys.ts';
import { nodeFileSystem } from '../files/node-file-system.ts';
import { ownWorkflowFolder } from './data-location.ts';
import { databaseName } from './run-database.ts';

/** The data folder that keeps a workflow file, and the id of the import that it belongs to. */
type Keeper = { readonly dataDir: string; readonly importedAs?: string };

/** Undefined for a file that no data folder keeps. */
export async function findKeeper(path: string): Promise<Keeper | undefined> {
  const real = await nodeFileSystem.realPath(path);
  if (real === undefined) return undefined;
  const folder = dirname(real);
  const above = dirname(folder);
  if (await isOwnFolder(folder)) return { dataDir: dirname(folder) };
  const isImport = workflowIdPattern.test(basename(folder)) && (await isOwnFolder(above));
  return isImport ? { dataDir: dirname(above), importedAs: basename(folder) } : undefined;
}

/** The store of runs is there from the first start on. */
async function isOwnFolder(folder: string): Promise<boolean> {
  const dataDir = dirname(folder);
  if (folder !== ownWorkflowFolder(dataDir)) return false;
  return (await nodeFileSystem.stat(join(dataDir, databaseName)))?.isFile === true;
}
