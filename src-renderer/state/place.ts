// The user's place in the app, as the address states it: every place can be linked to, reloaded and gone back to.
import { runStatuses, type RunStatus } from '#contract';
import { entryAddress, entryPlaceOf, type EntryPlace } from './entry/entry-place.ts';
import { logAddress, logPlaceOf, type LogPlace } from './log/log-place.ts';
import { workflowAddress, workflowPlaceOf, type WorkflowPlace } from './workflow/workflow-place.ts';

export type RunListFilter = {
  readonly status?: RunStatus;
  readonly text: string;
};

/** The tabs of a run. */
export const runTabs = ['matrix', 'timeline', 'outputs', 'input', 'why'] as const;
export type RunTab = (typeof runTabs)[number];

/** A run's place; without a tab its first one. A row, and a node of it, is what is shown there. */
export type RunPlace = {
  readonly screen: 'run';
  readonly runId: string;
  readonly tab?: RunTab;
  readonly row?: number;
  readonly nodeId?: string;
};

/** The parts of the settings; the first one is what `/settings` shows. */
export const settingsSections = [
  'server',
  'limits',
  'resources',
  'scenarios',
  'network',
  'secrets',
  'retention',
  'appearance',
  'folder',
  'about',
] as const;
export type SettingsSection = (typeof settingsSections)[number];

export type Place =
  | { readonly screen: 'runs'; readonly filter: RunListFilter }
  | RunPlace
  | EntryPlace
  | WorkflowsPlace
  | WorkflowPlace
  | { readonly screen: 'keys' }
  | LogPlace
  | { readonly screen: 'settings'; readonly section: SettingsSection }
  | { readonly screen: 'unknown'; readonly path: string };

/** `importing`: the file or folder that the import is offered for. */
type WorkflowsPlace = { readonly screen: 'workflows'; readonly importing?: string };

export const allRuns: Place = { screen: 'runs', filter: { text: '' } };

/** The place of an address, which may come from anywhere: what is not understood in it is left out. */
export function placeOf(path: string, query: string): Place {
  if (path === '/' || path === '/runs' || path === '/runs/') {
    return { screen: 'runs', filter: filterOf(new URLSearchParams(query)) };
  }
  if (path === '/keys') return { screen: 'keys' };
  if (path === '/log') return logPlaceOf(new URLSearchParams(query));
  if (path === '/workflows') return workflowsPlaceOf(new URLSearchParams(query));
  const asked = new URLSearchParams(query);
  const found =
    runPlaceOf(path, asked) ??
    entryPlaceOf(path, asked) ??
    workflowPlaceOf(path, asked) ??
    settingsPlaceOf(path);
  return found ?? { screen: 'unknown', path };
}

function workflowsPlaceOf(query: URLSearchParams): WorkflowsPlace {
  const importing = query.get('import')?.slice(0, 4096) ?? '';
  return { screen: 'workflows', ...(importing === '' ? {} : { importing }) };
}

function runPlaceOf(path: string, query: URLSearchParams): RunPlace | undefined {
  const [, runId, wanted] = /^\/runs\/([^/]+)(?:\/([a-z]+))?$/.exec(path) ?? [];
  const tab = runTabs.find((known) => known === wanted);
  if (runId === undefined || (wanted !== undefined && tab === undefined)) return undefined;
  const row = /^[1-9]\d{0,8}$/.exec(query.get('row') ?? '')?.[0];
  const nodeId = query.get('node')?.slice(0, 200);
  return {
    screen: 'run',
    runId: decoded(runId),
    ...(tab === undefined ? {} : { tab }),
    ...(row === undefined ? {} : { row: Number(row) }),
    ...(row === undefined || nodeId === undefined ? {} : { nodeId }),
  };
}

function settingsPlaceOf(path: string): Place | undefined {
  const [, wanted = 'server'] = /^\/settings(?:\/([a-z]+))?$/.exec(path) ?? [undefined, ''];
  const section = settingsSections.find((known) => known === wanted);
  return section === undefined ? undefined : { screen: 'settings', section };
}

function runsAddress({ status, text }: RunListFilter): string {
  const query = new URLSearchParams({
    ...(status === undefined ? {} : { status }),
    ...(text === '' ? {} : { q: text }),
  }).toString();
  return query === '' ? '/runs' : `/runs?${query}`;
}

const workflowsAddress = ({ importing }: WorkflowsPlace): string =>
  importing === undefined ? '/workflows' : `/workflows?import=${encodeURIComponent(importing)}`;

export function addressOf(place: Place): string {
  switch (place.screen) {
    case 'runs':
      return runsAddress(place.filter);
    case 'workflows':
      return workflowsAddress(place);
    case 'run':
      return runAddress(place);
    case 'log':
      return logAddress(place);
    case 'workflow':
      return workflowAddress(place);
    case 'settings':
      return place.section === 'server' ? '/settings' : `/settings/${place.section}`;
    case 'entry':
      return entryAddress(place);
    case 'unknown':
      return place.path;
    default:
      return `/${place.screen}`;
  }
}

function runAddress({ runId, tab, row, nodeId }: RunPlace): string {
  const query = new URLSearchParams({
    ...(row === undefined ? {} : { row: String(row) }),
    ...(row === undefined || nodeId === undefined ? {} : { node: nodeId }),
  }).toString();
  const path = `/runs/${encodeURIComponent(runId)}${tab === undefined ? '' : `/${tab}`}`;
  return query === '' ? path : `${path}?${query}`;
}

function filterOf(query: URLSearchParams): RunListFilter {
  const status = runStatuses.find((known) => known === query.get('status'));
  return { text: (query.get('q') ?? '').slice(0, 200), ...(status === undefined ? {} : { status }) };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // a broken escape is no run's id; the server says so
  }
}
