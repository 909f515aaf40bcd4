import { spawn } from 'node:child_process';
import { once } from 'node:events';

type Opener = { readonly command: string; readonly args: readonly string[] };

/** The command that opens an address on each system; the address becomes its last argument. */
function openerOf(platform: NodeJS.Platform): Opener {
  if (platform === 'darwin') return { command: 'open', args: [] };
  if (platform === 'win32') return { command: 'rundll32', args: ['url.dll,FileProtocolHandler'] };
  return { command: 'xdg-open', args: [] };
}

/** Asks the system to show the address in the user's browser; false where it cannot. Does not wait for the browser. */
export async function openBrowser(url: string, platform: NodeJS.Platform): Promise<boolean> {
  const { command, args } = openerOf(platform);
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
  child.unref();
  // The first of both that comes; an error is that there is no such program.
  const started = once(child, 'spawn').then(() => true);
  return started.catch(() => false);
}
