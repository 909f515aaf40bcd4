// Commands go down, facts come back up, nothing goes sideways. One table: folder -> folders it may import.
const layers = {
  'src-main/base': [],
  'src-main/domain': ['src-main/base'],
  'src-main/contract': ['src-main/domain', 'src-main/base'],
  'src-main/executor': ['src-main/domain', 'src-main/base'],
  'src-main/storage': ['src-main/domain', 'src-main/base'],
  'src-main/services': ['src-main/executor', 'src-main/storage', 'src-main/domain', 'src-main/base'],
  'src-main/http': ['src-main/services', 'src-main/contract', 'src-main/domain', 'src-main/base'],
  'src-main/app': [
    'src-main/http',
    'src-main/services',
    'src-main/storage',
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
};
// Which layer may touch which outside package, and which part of Node.
const outside = {
  'koa[^/]*|@koa/[^/]+': ['src-main/http'],
  'lowdb|steno': ['src-main/storage'],
  ses: ['src-main/executor/worker'],
  acorn: ['src-main/domain/expressions'],
  yaml: ['src-main/domain/workflow'],
  commander: ['src-main/cli'],
  pino: ['src-main/app'],
  // The one way out: everything that a workflow calls goes through its checks.
  undici: ['src-main/executor/upstream'],
};
const nodeBuiltins = {
  'fs|fs/promises': ['src-main/storage', 'src-main/cli', 'src-main/executor/process'],
  http: ['src-main/http'],
  'https|http2|tls|dgram': [],
  'dns|dns/promises': ['src-main/executor/upstream'],
  // The row worker's channel is a pipe that it inherits.
  net: ['src-main/http', 'src-main/executor/worker'],
  child_process: ['src-main/executor', 'src-main/cli'],
  worker_threads: [],
};
const any = (list) => `^(${list.join('|')})/`;
const nothing = '^$';

module.exports = {
  forbidden: [
    ...Object.entries(layers).map(([from, to]) => ({
      name: `layer: ${from}`,
      severity: 'error',
      comment: `${from} may import only: ${to.join(', ') || '(nothing of ours)'}`,
      from: { path: `^${from}/` },
      to: { path: '^src-main/', pathNot: any([from, ...to]) },
    })),
    ...Object.entries(outside).map(([name, allowed]) => ({
      name: `outside: ${name}`,
      severity: 'error',
      from: { path: '^src-', pathNot: any(allowed) },
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
      from: { path: '^src-main/(base|domain|contract)/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'the two APIs do not know each other',
      severity: 'error',
      from: { path: '^src-main/http/(public-api|control-api)/' },
      to: { path: '^src-main/http/(public-api|control-api)/', pathNot: '^src-main/http/$1/' },
    },
    {
      name: 'the main process never loads the row worker',
      severity: 'error',
      from: { path: '^src-main/', pathNot: '^src-main/executor/worker/' },
      to: { path: '^src-main/executor/worker/' },
    },
    {
      name: 'every file belongs to a layer',
      severity: 'error',
      from: { path: '^src-', pathNot: any(Object.keys(layers)) },
      to: {},
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
      // Types vanish at run time: errors.ts names run-status.ts's words, which throws errors.ts's errors.
      name: 'no cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no orphans',
      severity: 'error',
      from: { orphan: true, path: '^src-', pathNot: '(cli-main|worker-main)\\.ts$' },
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
      conditionNames: ['import', 'node', 'default', 'types'],
      exportsFields: ['exports'],
    },
  },
};
