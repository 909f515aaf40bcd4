import { join, posix, win32, basename, dirname } from 'node:path';
import { workflowIdPattern } from '../domain/workflow/workflow-keys.ts';
import { nodeFileSystem } from '../files/node-file-system.ts';
import { databaseName } from './runs/run-database.ts';

type Machine = {
  readonly platform: NodeJS.Platform;
  readonly env: { readonly [name: string]: string | undefined };
  /** The user's home folder. */
  readonly home: string;
};

/** The default data folder on a platform. */
export function defaultDataFolder({ platform, env, home }: Machine): string {
  if (platform === 'win32') {
    return win32.join(env['APPDATA'] || win32.join(home, 'AppData', 'Roaming'), 'Rowbench');
  }
  if (platform === 'darwin') return posix.join(home, 'Library', 'Application Support', 'Rowbench');
  // A relative XDG path is invalid and to be ignored, says its specification.
  const xdg = env['XDG_DATA_HOME'];
  const base = xdg !== undefined && posix.isAbsolute(xdg) ? xdg : posix.join(home, '.local', 'share');
  return posix.join(base, 'rowbench');
}

/** The folder for workflow files that the app creates; each import has a folder inside it. */
export const ownWorkflowFolder = (dataDir: string): string => join(dataDir, 'workflows');

// Finds the data folder that a workflow file named by the user belongs to, for any form of its path.

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
