import { expect, it } from 'vitest';
import { isPagePath } from '../../../../src-main/http/pages.ts';
import {
  addressOf,
  runTabs,
  settingsSections,
  type AppRoute,
} from '../../../../src-renderer/state/shell/route.ts';
import { workflowTabs } from '../../../../src-renderer/state/workflow/workflow-route.ts';

type Screen = AppRoute['screen'];

/** Routes of each screen; a new screen does not compile without its own. */
const routes: { readonly [S in Exclude<Screen, 'unknown'>]: readonly (AppRoute & { readonly screen: S })[] } =
  {
    runs: [{ screen: 'runs', filter: { status: 'failed', text: 'a' } }],
    run: [
      { screen: 'run', runId: '0193' },
      ...runTabs.map((tab) => ({ screen: 'run', runId: '0193', tab, row: 3 }) as const),
    ],
    find: [{ screen: 'find', text: 'a', workflowId: 'echo', of: 'input' }],
    compare: [{ screen: 'compare', firstRunId: '0193', secondRunId: '0194', query: 'show=changed' }],
    entry: [{ screen: 'entry', workflowId: 'echo', view: 'json' }],
    workflows: [
      { screen: 'workflows', importing: '/home/me/a.workflow.yaml' },
      { screen: 'workflows', isCreating: true },
    ],
    workflow: [
      { screen: 'workflow', workflowId: 'echo' },
      ...workflowTabs.map((tab) => ({ screen: 'workflow', workflowId: 'echo', tab }) as const),
    ],
    keys: [{ screen: 'keys' }],
    log: [{ screen: 'log', filter: { text: 'a' }, number: 12 }],
    settings: settingsSections.map((section) => ({ screen: 'settings', section })),
  };

const addresses = Object.values(routes).flatMap((ofScreen) => ofScreen.map(addressOf));

it.each(addresses)('the server answers %s with the page, so that the screen can be reloaded', (address) => {
  expect(isPagePath(new URL(address, 'http://127.0.0.1').pathname)).toBe(true);
});
