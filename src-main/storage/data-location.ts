import { join, posix, win32 } from 'node:path';

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
