// What the app can do in its desktop window and nowhere else. In a browser there is no bridge, and nothing of it shows.
import type { DesktopBridge } from '#contract';
import { placeOf } from './place.ts';
import type { Command } from './rank-commands.ts';
import type { Router } from './router.svelte.ts';

const bridge = (): DesktopBridge | undefined =>
  (globalThis as { readonly rowbench?: DesktopBridge }).rowbench;

/** Whether this page is in the desktop window. */
export const isInDesktop = (): boolean => bridge() !== undefined;

/** Goes where the user asks from menus, links and notifications. */
export function followDesktop(router: Pick<Router, 'go'>): void {
  bridge()?.onGo((path) => {
    const { pathname, search } = new URL(path, location.origin);
    router.go(placeOf(pathname, search));
  });
}

/** For the palette; none in a browser. @param onProblem is told what the shell could not do */
export function desktopCommands(onProblem: (problem: string) => void): readonly Command[] {
  const shell = bridge();
  if (shell === undefined) return [];
  const call = (name: 'pick-workflow' | 'show-data-folder') => () => {
    shell.call(name, {}).catch((error: unknown) => onProblem(String(error)));
  };
  const section = 'On this computer';
  return [
    {
      id: 'pick-workflow',
      section,
      title: 'Import a workflow file…',
      words: 'open',
      act: call('pick-workflow'),
    },
    {
      id: 'show-data-folder',
      section,
      title: 'Show the data folder',
      words: 'reveal',
      act: call('show-data-folder'),
    },
  ];
}
