// Features of the desktop window. A browser has no bridge, and shows none of them.
import type { DesktopBridge, DesktopCall, DesktopCalls } from '#contract';
import { parseRoute } from '../route.ts';
import type { Command } from './rank-commands.ts';
import type { Router } from '../router.svelte.ts';

const bridge = (): DesktopBridge | undefined =>
  (globalThis as { readonly rowbench?: DesktopBridge }).rowbench;

/** Whether this page is in the desktop window. */
export const isInDesktop = (): boolean => bridge() !== undefined;

/** Has the window do it. @param onProblem is told what it could not do */
export function callDesktop<Name extends DesktopCall>(
  name: Name,
  ...[input, onProblem]: [input: DesktopCalls[Name], onProblem: (problem: unknown) => void]
): void {
  bridge()?.call(name, input).catch(onProblem);
}

/** Goes where the user asks from menus, links and notifications. */
export function followDesktop(router: Pick<Router, 'go'>): void {
  bridge()?.onGo((path) => {
    const { pathname, search } = new URL(path, location.origin);
    router.go(parseRoute(pathname, search));
  });
}

/** For the palette; none in a browser. @param onProblem is told what the shell could not do */
export function desktopCommands(onProblem: (problem: unknown) => void): readonly Command[] {
  if (!isInDesktop()) return [];
  const call = (name: 'pick-workflow' | 'show-data-folder') => () => callDesktop(name, {}, onProblem);
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
