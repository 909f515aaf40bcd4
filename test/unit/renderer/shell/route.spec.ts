import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { entryViews } from '../../../../src-renderer/state/entry/entry-route.ts';
import { addressOf, parseRoute, type AppRoute } from '../../../../src-renderer/state/shell/route.ts';

describe('a route', () => {
  it.each<[string, string, AppRoute]>([
    ['/', '', { screen: 'runs', filter: { text: '' } }],
    ['/runs', '?status=failed&q=a%20b', { screen: 'runs', filter: { status: 'failed', text: 'a b' } }],
    ['/runs', '?mark=replay', { screen: 'runs', filter: { mark: 'replay', text: '' } }],
    [
      '/runs',
      '?pinned=true&tag=a%20b%2C%C3%BC',
      { screen: 'runs', filter: { isPinned: true, tag: 'a b,ü', text: '' } },
    ],
    ['/runs', '?pinned=1&tag=', { screen: 'runs', filter: { text: '' } }],
    ['/runs', '?status=nonsense&mark=nonsense', { screen: 'runs', filter: { text: '' } }],
    ['/runs/0193', '', { screen: 'run', runId: '0193' }],
    ['/runs/0193/rows', '', { screen: 'run', runId: '0193' }],
    ['/runs/0193/timing', '?row=3', { screen: 'run', runId: '0193', tab: 'timing' }],
    ['/runs/0193/constructor', '', { screen: 'unknown', path: '/runs/0193/constructor' }],
    [
      '/runs/0193/matrix',
      '?row=3&node=company',
      { screen: 'run', runId: '0193', row: 3, nodeId: 'company', view: 'show=nodes' },
    ],
    ['/runs/0193', '?row=03&node=company', { screen: 'run', runId: '0193' }],
    ['/runs/0193', '?row=3', { screen: 'run', runId: '0193', row: 3 }],
    ['/workflows/score-leads/run', '', { screen: 'entry', workflowId: 'score-leads' }],
    [
      '/workflows/score-leads/run',
      '?view=json&from=0193-ab&rows=failed',
      { screen: 'entry', workflowId: 'score-leads', view: 'json', from: '0193-ab' },
    ],
    [
      '/workflows/score-leads/run',
      '?view=nonsense&from=0193&rows=all',
      { screen: 'entry', workflowId: 'score-leads', from: '0193', rows: 'all' },
    ],
    ['/workflows/a/run', '?rows=test', { screen: 'entry', workflowId: 'a', rows: 'test' }],
    ['/workflows/a/run', '?rows=all', { screen: 'entry', workflowId: 'a' }],
    ['/workflows/a/rows', '', { screen: 'workflow', workflowId: 'a', tab: 'rows' }],
    ['/workflows/a', '?node=lead&line=17', { screen: 'workflow', workflowId: 'a', nodeId: 'lead', line: 17 }],
    ['/workflows/a.b/run', '', { screen: 'unknown', path: '/workflows/a.b/run' }],
    ['/keys', '', { screen: 'keys' }],
    ['/log', '', { screen: 'log', filter: { text: '' } }],
    [
      '/log',
      '?outcome=limited&method=GET&key=k&workflow=w&q=a&call=12',
      {
        screen: 'log',
        filter: { text: 'a', outcome: 'limited', method: 'GET', keyId: 'k', workflowId: 'w' },
        number: 12,
      },
    ],
    ['/log', '?outcome=nonsense&call=x', { screen: 'log', filter: { text: '' } }],
    ['/workflows', '', { screen: 'workflows' }],
    ['/keys/x', '', { screen: 'unknown', path: '/keys/x' }],
    ['/runs/a/b', '', { screen: 'unknown', path: '/runs/a/b' }],
    ['/toString', '', { screen: 'unknown', path: '/toString' }],
    ['/runs/%E0%A4%A', '', { screen: 'run', runId: '%E0%A4%A' }],
  ])('is parsed from %s%s', (path, query, route) => {
    expect(parseRoute(path, query)).toEqual(route);
  });

  it('is parsed back from its own address, with any text in the filter', () => {
    const runs = fc.record(
      {
        status: fc.constantFrom('failed' as const, 'running' as const),
        mark: fc.constantFrom('record' as const, 'scenario' as const),
        isPinned: fc.constant(true as const),
        tag: fc.string({ minLength: 1, maxLength: 50 }),
        text: fc.string({ maxLength: 50 }),
      },
      { requiredKeys: ['text'] },
    );
    const route: fc.Arbitrary<AppRoute> = fc.oneof(
      runs.map((filter): AppRoute => ({ screen: 'runs', filter })),
      fc
        .string({ minLength: 1, maxLength: 40 })
        .filter((text) => text !== '.' && text !== '..')
        .map((runId): AppRoute => ({ screen: 'run', runId })),
      fc.record({
        screen: fc.constant('run' as const),
        runId: fc.uuid(),
        tab: fc.constantFrom('timing' as const, 'why' as const),
      }),
      fc.record({
        screen: fc.constant('run' as const),
        runId: fc.uuid(),
        row: fc.integer({ min: 1, max: 999_999 }),
        nodeId: fc.string({ maxLength: 50 }),
      }),
      fc.record({
        screen: fc.constant('run' as const),
        runId: fc.uuid(),
        view: fc.oneof(
          fc.constantFrom('rows=attempt', 'sort=state&rows=attempt', 'show=both', 'cells=values'),
          fc.string({ minLength: 1 }).map((text) => `where=${encodeURIComponent(text)}`),
        ),
      }),
      fc.record(
        {
          screen: fc.constant('entry' as const),
          workflowId: fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/),
          view: fc.constantFrom(...entryViews),
          from: fc.uuid(),
        },
        { requiredKeys: ['screen', 'workflowId'] },
      ),
    );
    fc.assert(
      fc.property(route, (original) => {
        const url = new URL(addressOf(original), 'http://127.0.0.1');
        expect(parseRoute(url.pathname, url.search, url.hash)).toEqual(original);
      }),
    );
  });
});

it('leaves the code of a link out of the route of a run', () => {
  expect(parseRoute('/runs/0193', '', '#code=abc')).toEqual({ screen: 'run', runId: '0193' });
});

it('parses the route that offers to import a file', () => {
  const route = { screen: 'workflows', importing: '/home/ü b/ask.workflow.yaml' } as const;
  const url = new URL(addressOf(route), 'http://x');
  expect(parseRoute(url.pathname, url.search)).toEqual(route);
  expect(parseRoute('/workflows', '?import=')).toEqual({ screen: 'workflows', importing: '' });
});
