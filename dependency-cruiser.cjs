// Commands go down, events come back up. One table: folder -> folders it may import.
const layers = {
  'src-main/base': [],
  'src-main/domain': ['src-main/base'],
  'src-main/contract': ['src-main/domain', 'src-main/base'],
  'src-main/executor': ['src-main/domain', 'src-main/base'],
  'src-main/files': ['src-main/domain', 'src-main/base'],
  'src-main/storage': ['src-main/files', 'src-main/domain', 'src-main/base'],
  'src-main/services': [
    'src-main/executor',
    'src-main/storage',
    'src-main/files',
    'src-main/domain',
    'src-main/base',
  ],
  'src-main/team': [
    'src-main/services',
    'src-main/executor',
    'src-main/storage',
    'src-main/files',
    'src-main/domain',
    'src-main/base',
  ],
  'src-main/presenters': ['src-main/services', 'src-main/contract', 'src-main/domain', 'src-main/base'],
  'src-main/http': [
    'src-main/presenters',
    'src-main/services',
    'src-main/contract',
    'src-main/domain',
    'src-main/base',
  ],
  'src-main/app': [
    'src-main/team',
    'src-main/http',
    'src-main/presenters',
    'src-main/services',
    'src-main/storage',
    'src-main/files',
    'src-main/executor',
    'src-main/contract',
    'src-main/domain',
    'src-main/base',
  ],
  'src-main/cli': [
    'src-main/app',
    'src-main/services',
    'src-main/contract',
    'src-main/domain',
    'src-main/base',
  ],
  'src-main/desktop': ['src-main/app', 'src-main/contract', 'src-main/base'],
  'src-renderer/ui': ['src-renderer/format', 'src-main/contract'],
  'src-renderer/format': ['src-main/contract'],
  'src-renderer/api': ['src-main/contract'],
  'src-renderer/state': ['src-renderer/api', 'src-renderer/format', 'src-main/contract'],
  'src-renderer/panels': [
    'src-renderer/state',
    'src-renderer/ui',
    'src-renderer/format',
    'src-main/contract',
  ],
  'src-renderer/screens': [
    'src-renderer/panels',
    'src-renderer/state',
    'src-renderer/ui',
    'src-renderer/format',
    'src-main/contract',
  ],
};
// The rooms of the services: room -> rooms it may import. All may import the files beside the rooms.
const rooms = {
  authoring: ['results', 'runs', 'workflows', 'rowsets', 'access'],
  tests: ['results', 'runs', 'workflows', 'rowsets', 'access'],
  results: ['runs', 'workflows', 'rowsets'],
  runs: ['workflows', 'rowsets', 'access'],
  workflows: [],
  rowsets: [],
  access: [],
  api: [],
};
const besideRooms = '(ports|platform|services)\\.ts$';
// Which layer may touch which outside package, and which part of Node.
const outside = {
  'koa[^/]*|@koa/[^/]+': ['src-main/http'],
  'lowdb|steno': ['src-main/storage'],
  'pg|pg-boss': ['src-main/team'],
  '@photostructure/sqlite': ['src-main/storage/sqlite'],
  ses: ['src-main/executor/worker'],
  'luxon|bignumber.js': ['src-main/executor/worker/functions'],
  acorn: ['src-main/domain/expressions'],
  chardet: ['src-main/domain/rows/files'],
  yaml: ['src-main/domain/workflow', 'src-main/domain/authoring/edit', 'src-main/domain/authoring/language'],
  diff: ['src-main/domain/authoring/create', 'src-renderer/format'],
  saxen: ['src-main/executor/worker/sheet'],
  commander: ['src-main/cli'],
  pino: ['src-main/app'],
  'prom-client': ['src-main/app/metrics'],
  svelte: ['src-renderer'],
  '@codemirror/[^/]+': ['src-renderer/ui/code-editor'],
  '@lucide/svelte': ['src-renderer/ui', 'src-renderer/panels', 'src-renderer/screens'],
  'eventsource-parser': ['src-renderer/api'],
  // The one way out: everything that a workflow calls goes through its checks.
  undici: ['src-main/executor/upstream'],
  'electron|electron-updater': ['src-main/desktop'],
};
const nodeBuiltins = {
  'fs|fs/promises': ['src-main/files', 'src-main/storage', 'src-main/cli', 'src-main/executor/process'],
  http: ['src-main/http'],
  'https|tls': ['src-main/http'],
  'http2|dgram': [],
  'dns|dns/promises': ['src-main/executor/upstream'],
  // The row worker's channel is a pipe that it inherits.
  net: ['src-main/http', 'src-main/executor/worker'],
  child_process: ['src-main/executor', 'src-main/cli'],
  // The row worker's own watch of its memory; the threads of the store.
  worker_threads: ['src-main/executor/worker', 'src-main/storage/sqlite', 'src-main/team'],
};
const any = (list) => `^(${list.join('|')})/`;
const nothing = '^$';
// What puts the screens together.
const rendererRoot = '^src-renderer/(main\\.ts|App\\.svelte|eslint(\\.typed)?\\.config\\.js)$';

module.exports = {
  forbidden: [
    ...Object.entries(layers).map(([from, to]) => ({
      name: `layer: ${from}`,
      severity: 'error',
      comment: `${from} may import only: ${to.join(', ') || '(nothing of ours)'}`,
      from: { path: `^${from}/` },
      to: { path: '^src-(main|renderer)/', pathNot: any([from, ...to]) },
    })),
    ...Object.entries(rooms).map(([from, to]) => ({
      name: `room: services/${from}`,
      severity: 'error',
      comment: `services/${from} may import of the other rooms only: ${to.join(', ') || '(none)'}`,
      from: { path: `^src-main/services/${from}/` },
      to: {
        path: '^src-main/services/',
        pathNot: `^src-main/services/(${besideRooms}|(${[from, ...to].join('|')})/)`,
      },
    })),
    ...Object.entries(outside).map(([name, allowed]) => ({
      name: `outside: ${name}`,
      severity: 'error',
      from: { path: '^src-', pathNot: `${any(allowed)}|${rendererRoot}` },
      to: { path: `node_modules/(${name})/` },
    })),
    ...Object.entries(nodeBuiltins).map(([name, allowed]) => ({
      name: `node: ${name}`,
      severity: 'error',
      from: { path: '^src-', pathNot: allowed.length > 0 ? any(allowed) : nothing },
      to: { dependencyTypes: ['core'], path: `^(node:)?(${name})$` },
    })),
    {
      name: 'pure: no Node at all',
      severity: 'error',
      from: { path: '^src-main/(base|domain|contract)/|^src-renderer/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'the two APIs do not know each other',
      severity: 'error',
      from: { path: '^src-main/http/(public-api|control-api)/' },
      to: { path: '^src-main/http/(public-api|control-api)/', pathNot: '^src-main/http/$1/' },
    },
    {
      name: 'screens do not know each other',
      severity: 'error',
      from: { path: '^src-renderer/screens/([^/]+)/' },
      to: { path: '^src-renderer/screens/', pathNot: '^src-renderer/screens/$1/' },
    },
    {
      name: 'pages see of the main process only the contract',
      severity: 'error',
      from: { path: '^src-renderer/' },
      to: { path: '^src-main/', pathNot: '^src-main/contract/index\\.ts$' },
    },
    {
      name: 'the main process does not know the pages',
      severity: 'error',
      from: { path: '^src-main/' },
      to: { path: '^src-renderer/' },
    },
    {
      name: 'the main process never loads the row worker',
      severity: 'error',
      from: { path: '^src-main/', pathNot: '^src-main/executor/worker/' },
      to: { path: '^src-main/executor/worker/' },
    },
    {
      name: 'workers, their pool and upstreams know no run',
      severity: 'error',
      from: { path: '^src-main/executor/(pool|process|worker|parser|upstream)/' },
      to: { path: '^src-main/executor/run/' },
    },
    {
      // Its types are everywhere in the shell; loaded where there is no binary it would throw.
      name: 'Electron is loaded by its two programs alone',
      severity: 'error',
      from: { path: '^(src-|test/)', pathNot: '^src-main/desktop/(main|preload)\\.ts$' },
      to: { path: 'node_modules/electron(-updater)?/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'every file belongs to a layer',
      severity: 'error',
      from: { path: '^src-', pathNot: `${any(Object.keys(layers))}|${rendererRoot}` },
      to: {},
    },
    {
      name: 'every service belongs to a room',
      severity: 'error',
      from: {
        path: '^src-main/services/',
        pathNot: `^src-main/services/(${besideRooms}|(${Object.keys(rooms).join('|')})/)`,
      },
      to: {},
    },
    {
      name: 'rooms are opened by app alone',
      severity: 'error',
      from: { path: '^src-', pathNot: '^src-main/app/' },
      to: { path: '^src-main/services/[^/]+/open\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no barrels',
      severity: 'error',
      from: {},
      to: { path: '^(src-|test/).*/index\\.ts$', pathNot: '^src-main/contract/index\\.ts$' },
    },
    {
      name: 'no junk drawers',
      severity: 'error',
      from: {},
      to: { path: '^(src-|test/).*(^|/|-)(utils?|helpers?|common|misc|shared|manager)(-|\\.|/)' },
    },
    {
      name: 'no cycles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no orphans',
      severity: 'error',
      from: {
        orphan: true,
        path: '^src-',
        pathNot:
          '(saxen\.d|cli-main|worker-main|parser-main|sheet-reader-main|store-thread-main|desktop/(main|preload)|src-renderer/main)\\.ts$',
      },
      to: {},
    },
    {
      name: 'source never imports tests',
      severity: 'error',
      from: { path: '^src-' },
      to: { path: '^test/' },
    },
    { name: 'unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      conditionNames: ['import', 'svelte', 'node', 'default', 'types'],
      exportsFields: ['exports'],
    },
  },
};
