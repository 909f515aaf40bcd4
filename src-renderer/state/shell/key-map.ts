// Destinations and keys of the app, defined once for the palette, the keyboard and the help sheet (`key-groups.ts`).
import { allRuns, type AppRoute } from './route.ts';

type Destination = {
  readonly id: string;
  readonly title: string;
  /** Second key of the shortcut, after `g`. */
  readonly key: string;
  /** Search terms of the palette, besides the title. */
  readonly words?: string;
  readonly route: AppRoute;
};

export const destinations: readonly Destination[] = [
  { id: 'go-runs', title: 'Runs', key: 'R', route: allRuns },
  { id: 'go-workflows', title: 'Workflows', key: 'W', route: { screen: 'workflows' } },
  { id: 'go-keys', title: 'Keys', key: 'K', words: 'API create revoke', route: { screen: 'keys' } },
  {
    id: 'go-log',
    title: 'API log',
    key: 'L',
    words: 'calls requests limits polling doctor HAR',
    route: { screen: 'log', filter: { text: '' } },
  },
  {
    id: 'go-find',
    title: 'Search in the rows of all runs',
    key: 'F',
    words: 'find value customer where',
    route: { screen: 'find', text: '' },
  },
  { id: 'go-settings', title: 'Settings', key: 'S', route: { screen: 'settings', section: 'server' } },
];

/** Opens the dialog for a new run, on every screen. */
export const newRunKey = 'C';

/** Opens the dialog for a new workflow, in the list of workflows. */
export const newWorkflowKey = 'N';

/** Compares the two runs that are selected in the list. */
export const compareKey = 'D';
