// Features of the desktop window. A browser has no bridge and shows none of them.
import type { DesktopBridge, DesktopCall, DesktopCalls } from '#contract';
import { parseRoute } from './route.ts';
import type { Command } from './rank-commands.ts';
import type { Router } from './router.svelte.ts';

const bridge = (): DesktopBridge | undefined =>
  (globalThis as { readonly rowbench?: DesktopBridge }).rowbench;

/** True if this page is in the desktop window. */
export const isInDesktop = (): boolean => bridge() !== undefined;

/** Calls a function of the desktop window. @param onProblem called with the error if it fails */
export function callDesktop<Name extends DesktopCall>(
  name: Name,
  ...[input, onProblem]: [input: DesktopCalls[Name], onProblem: (problem: unknown) => void]
): void {
  bridge()?.call(name, input).catch(onProblem);
}

/** Follows routes that the user opens from menus, links and notifications of the system. */
export function followDesktop(router: Pick<Router, 'go'>): void {
  bridge()?.onGo((path) => {
    const { pathname, search } = new URL(path, location.origin);
    router.go(parseRoute(pathname, search));
  });
}

/** Commands for the palette; none in a browser. @param onProblem called with the error if a command fails */
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
