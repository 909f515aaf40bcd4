// Routes of the app: parsed from an address and written as one, so that a screen can be linked to and reloaded.
import { labelLimits, runMarks, runStatuses, type RunMark } from '#contract';
import { compareAddress, parseCompareRoute, type CompareRoute } from '../compare/compare-route.ts';
import { entryAddress, parseEntryRoute, type EntryRoute } from '../entry/entry-route.ts';
import { findAddress, parseFindRoute, type FindRoute } from '../find/find-route.ts';
import { logAddress, parseLogRoute, type LogRoute } from '../log/log-route.ts';
import { workflowAddress, parseWorkflowRoute, type WorkflowRoute } from '../workflow/workflow-route.ts';

/** Runs with a status, or runs with failed rows, whatever their status. */
export const runChoices = [...runStatuses, 'with-failures'] as const;
export type RunChoice = (typeof runChoices)[number];

export type RunListFilter = {
  readonly status?: RunChoice;
  /** Only runs that were recorded, replayed, mocked, or had a scenario. */
  readonly mark?: RunMark;
  readonly isPinned?: true;
  readonly tag?: string;
  readonly text: string;
};

/** The tabs of a run. */
export const runTabs = ['rows', 'timing', 'why'] as const;
export type RunTab = (typeof runTabs)[number];

/** A row that the panel shows, with a node of its trace. */
export type LinkedRow = { readonly row: number; readonly nodeId?: string };

/** A run; without `tab`, its rows are shown. */
export type RunRoute = Partial<LinkedRow> & {
  readonly screen: 'run';
  readonly runId: string;
  readonly tab?: RunTab;
  /** Filters, order and groups of the rows, as the fragment of the address. */
  readonly view?: string;
};

/** The parts of the settings; the first one is what `/settings` shows. */
export const settingsSections = [
  'server',
  'limits',
  'resources',
  'scenarios',
  'network',
  'secrets',
  'hosted',
  'browsers',
  'access',
  'retention',
  'appearance',
  'folder',
  'about',
] as const;
export type SettingsSection = (typeof settingsSections)[number];

export type AppRoute =
  | { readonly screen: 'runs'; readonly filter: RunListFilter }
  | RunRoute
  | CompareRoute
  | EntryRoute
  | WorkflowsRoute
  | WorkflowRoute
  | { readonly screen: 'keys' }
  | LogRoute
  | FindRoute
  | { readonly screen: 'settings'; readonly section: SettingsSection }
  | { readonly screen: 'unknown'; readonly path: string };

/**
 * @property importing path of the file or folder that the user is asked to import; empty: the user names it
 * @property isCreating true: with the dialog for a new workflow
 */
type WorkflowsRoute = {
  readonly screen: 'workflows';
  readonly importing?: string;
  readonly isCreating?: true;
};

export const allRuns: AppRoute = { screen: 'runs', filter: { text: '' } };

/** Parses any address: parts that are unknown or invalid are dropped. */
export function parseRoute(path: string, query: string, fragment?: string): AppRoute {
  const parameters = new URLSearchParams(query);
  const found =
    parseListRoute(path, parameters) ??
    parseFindRoute(path, fragment) ??
    parseRunRoute(path, parameters, fragment) ??
    parseCompareRoute(path, query) ??
    parseEntryRoute(path, parameters) ??
    parseWorkflowRoute(path, parameters) ??
    parseSettingsRoute(path);
  return found ?? { screen: 'unknown', path };
}

/** The screens whose path is a single word. */
function parseListRoute(path: string, query: URLSearchParams): AppRoute | undefined {
  if (path === '/' || path === '/runs' || path === '/runs/') {
    return { screen: 'runs', filter: filterOf(query) };
  }
  if (path === '/keys') return { screen: 'keys' };
  if (path === '/log') return parseLogRoute(query);
  return path === '/workflows' ? parseWorkflowsRoute(query) : undefined;
}

function parseWorkflowsRoute(query: URLSearchParams): WorkflowsRoute {
  const importing = query.get('import')?.slice(0, 4096);
  if (importing !== undefined) return { screen: 'workflows', importing };
  return { screen: 'workflows', ...(query.has('new') ? { isCreating: true } : {}) };
}

function parseRunRoute(path: string, query: URLSearchParams, fragment?: string): RunRoute | undefined {
  const [, runId, tabName = 'rows'] = /^\/runs\/([^/]+)(?:\/([a-z]+))?$/.exec(path) ?? [];
  // Older addresses had a tab for how nodes ended.
  const isOfNodes = tabName === 'matrix';
  const tab = isOfNodes ? 'rows' : runTabs.find((known) => known === tabName);
  if (runId === undefined || tab === undefined) return undefined;
  return {
    screen: 'run',
    runId: decoded(runId),
    ...(tab === 'rows' ? openRow(query) : { tab }),
    ...(isOfNodes ? { view: 'show=nodes' } : viewOf(fragment)),
  };
}

/** A link into the app has its code as the fragment, which is none of a run. */
const viewFragment = /^#((?:where|sort|group|rows|show|cells)=.{1,60000})$/s;

function viewOf(fragment = ''): Pick<RunRoute, 'view'> {
  const view = viewFragment.exec(fragment)?.[1];
  return view === undefined ? {} : { view };
}

function openRow(query: URLSearchParams): Partial<LinkedRow> {
  const row = /^[1-9]\d{0,8}$/.exec(query.get('row') ?? '')?.[0];
  const nodeId = query.get('node')?.slice(0, 200);
  if (row === undefined) return {};
  return { row: Number(row), ...(nodeId === undefined ? {} : { nodeId }) };
}

function parseSettingsRoute(path: string): AppRoute | undefined {
  const [, name = 'server'] = /^\/settings(?:\/([a-z]+))?$/.exec(path) ?? [undefined, ''];
  const section = settingsSections.find((known) => known === name);
  return section === undefined ? undefined : { screen: 'settings', section };
}

function runsAddress({ status, mark, isPinned, tag, text }: RunListFilter): string {
  const query = new URLSearchParams({
    ...(status === undefined ? {} : { status }),
    ...(mark === undefined ? {} : { mark }),
    ...(isPinned ? { pinned: 'true' } : {}),
    ...(tag === undefined ? {} : { tag }),
    ...(text === '' ? {} : { q: text }),
  }).toString();
  return query === '' ? '/runs' : `/runs?${query}`;
}

function workflowsAddress({ importing, isCreating }: WorkflowsRoute): string {
  if (importing !== undefined) return `/workflows?import=${encodeURIComponent(importing)}`;
  return isCreating === true ? '/workflows?new' : '/workflows';
}

export function addressOf(route: AppRoute): string {
  switch (route.screen) {
    case 'runs':
      return runsAddress(route.filter);
    case 'workflows':
      return workflowsAddress(route);
    case 'run':
      return runAddress(route);
    case 'compare':
      return compareAddress(route);
    case 'log':
      return logAddress(route);
    case 'find':
      return findAddress(route);
    case 'workflow':
      return workflowAddress(route);
    case 'settings':
      return route.section === 'server' ? '/settings' : `/settings/${route.section}`;
    case 'entry':
      return entryAddress(route);
    case 'unknown':
      return route.path;
    default:
      return `/${route.screen}`;
  }
}

function runAddress({ runId, tab, row, nodeId, view }: RunRoute): string {
  const query = new URLSearchParams({
    ...(row === undefined ? {} : { row: String(row) }),
    ...(row === undefined || nodeId === undefined ? {} : { node: nodeId }),
  }).toString();
  const path = `/runs/${encodeURIComponent(runId)}${tab === undefined || tab === 'rows' ? '' : `/${tab}`}`;
  const fragment = view === undefined || view === '' ? '' : `#${view}`;
  return `${path}${query === '' ? '' : `?${query}`}${fragment}`;
}

function filterOf(query: URLSearchParams): RunListFilter {
  const status = runChoices.find((known) => known === query.get('status'));
  const mark = runMarks.find((known) => known === query.get('mark'));
  const tag = (query.get('tag') ?? '').slice(0, labelLimits.tag);
  return {
    text: (query.get('q') ?? '').slice(0, 200),
    ...(status === undefined ? {} : { status }),
    ...(mark === undefined ? {} : { mark }),
    ...(query.get('pinned') === 'true' ? { isPinned: true } : {}),
    ...(tag === '' ? {} : { tag }),
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // with a broken escape it is no run's id: the server answers "not found"
  }
}
