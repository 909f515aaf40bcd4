import { describe, expect, it } from 'vitest';
import type { WorkflowView } from '../../../../src-main/contract/workflows/workflows.ts';
import { editorLink } from '../../../../src-renderer/state/workflow/editor-link.ts';
import {
  cardDetail,
  fitted,
  opened,
  showing,
  zoomed,
} from '../../../../src-renderer/state/workflow/graph/graph-view.ts';
import { graphDescriptions } from '../../../../src-renderer/state/workflow/graph/graph-descriptions.ts';
import { addressOf, parseRoute } from '../../../../src-renderer/state/shell/route.ts';
import {
  cannotRun,
  groupByFolder,
  listWorkflows,
} from '../../../../src-renderer/state/workflows/workflow-list.ts';
import { runView } from '../../../builders/run-view.ts';

const workflow = (id: string, fields: Partial<WorkflowView> = {}): WorkflowView => ({
  id,
  name: id,
  file: `/flows/${id}.workflow.yaml`,
  nodes: 3,
  issues: [],
  trust: 'own',
  network: [],
  ...fields,
});

const error = { severity: 'error', message: 'wrong', line: 1, column: 1 } as const;

describe('the list of workflows', () => {
  it('has the newest run of each, and counts those under way', () => {
    const runs = [
      runView({ runId: 'r3', workflowId: 'b', finishedAt: null, status: 'running' }),
      runView({ runId: 'r2', workflowId: 'b', finishedAt: null, status: 'queued' }),
      runView({ runId: 'r1', workflowId: 'a' }),
    ];
    const listed = listWorkflows([workflow('a'), workflow('b'), workflow('c')], runs, '');
    expect(listed.map(({ last, active }) => [last?.runId, active])).toEqual([
      ['r1', 0],
      ['r3', 2],
      [undefined, 0],
    ]);
  });

  it.each([
    ['', 2],
    ['LEADS', 1],
    ['score yaml', 1],
    ['线索', 1],
    ['nothing', 0],
  ])('is searched for %j', (text, found) => {
    const all = [workflow('score-leads', { name: '线索' }), workflow('echo')];
    expect(listWorkflows(all, [], text)).toHaveLength(found);
  });

  it('names each folder once, files with errors first', () => {
    const all = [
      workflow('a'),
      workflow('b', { file: 'C:\\flows\\b.workflow.yaml' }),
      workflow('c'),
      workflow('d', { issues: [error] }),
    ];
    const folders = groupByFolder(listWorkflows(all, [], ''));
    expect(folders.map(({ path, listed }) => [path, listed.map((each) => each.workflow.id)])).toEqual([
      ['/flows', ['d', 'a', 'c']],
      ['C:\\flows', ['b']],
    ]);
  });

  it('says why one cannot run', () => {
    expect(cannotRun(workflow('a'))).toBeUndefined();
    expect(cannotRun(workflow('a', { trust: 'untrusted' }))).toBe('Trust it first');
    expect(cannotRun(workflow('a', { issues: [error] }))).toBe('Fix the errors first');
    expect(cannotRun(workflow('a', { issues: [{ ...error, severity: 'warning' }] }))).toBeUndefined();
  });
});

describe('the route of a workflow', () => {
  it.each(['/workflows/leads', '/workflows/leads/tests', '/workflows/leads/snippets?node=a+b'])(
    'is told by its address %s',
    (address) => {
      const [path = '', query = ''] = address.split('?');
      const route = parseRoute(path, query);
      expect(route.screen).toBe('workflow');
      expect(addressOf(route)).toBe(address);
    },
  );
  it.each([
    '/workflows/a b',
    '/workflows/leads/nothing',
    '/workflows/leads/tests/x',
    `/workflows/${'x'.repeat(65)}`,
  ])('is not %s', (path) => {
    expect(parseRoute(path, '').screen).not.toBe('workflow');
  });
});

describe('the window onto a graph', () => {
  const window = { width: 440, height: 240 };
  it('shows all of it, in the middle and never larger than life', () => {
    expect(fitted({ width: 800, height: 100 }, window)).toEqual({ scale: 0.5, x: 20, y: 95 });
    expect(fitted({ width: 100, height: 40 }, window)).toEqual({ scale: 1, x: 170, y: 100 });
  });
  it('begins where it can be read, with all of a small one and the beginning of a large one', () => {
    expect(opened({ width: 100, height: 40 }, window).scale).toBe(1);
    expect(opened({ width: 4_000, height: 80 }, window)).toEqual({ scale: 0.8, x: 20, y: 88 });
    // Its first node is in sight, however high it is.
    expect(opened({ width: 4_000, height: 4_000 }, window, 3_000).y).toBe(window.height / 2 - 2_400);
  });
  it('gives a card less text where there is less room', () => {
    expect([1, 0.7, 0.69, 0.3].map(cardDetail)).toEqual(['all', 'all', 'name', 'name']);
  });
  it('comes nearer around the point that is pointed at', () => {
    const view = zoomed({ x: 10, y: 20, scale: 0.5 }, 2, { x: 110, y: 120 });
    expect(view).toEqual({ scale: 1, x: -90, y: -80 });
    expect(zoomed(view, 100, { x: 0, y: 0 }).scale).toBe(1.5);
  });
  it('moves no further than it takes to see a node', () => {
    const at = { x: 0, y: 0, scale: 1 };
    const box = { width: 200, height: 64 };
    expect(showing(at, { ...box, x: 100, y: 100 }, window)).toEqual(at);
    expect(showing(at, { ...box, x: 400, y: -50 }, window)).toEqual({ scale: 1, x: -180, y: 70 });
  });
});

it('a graph has a description in words too', () => {
  const words = graphDescriptions(['a', 'b'], [{ from: 'a', to: 'b' }]);
  expect([...words.values()]).toEqual(['After nothing; before b.', 'After a; before nothing.']);
});

it.each([
  ['/home/me/a b#1.workflow.yaml', 'vscode://file/home/me/a%20b%231.workflow.yaml:1'],
  ['C:\\flows\\a.workflow.yaml', 'vscode://file/C:/flows/a.workflow.yaml:1'],
  ['\\\\server\\share\\a.yaml', undefined],
  ['a.yaml', undefined],
])('the editor is asked for %s by %s', (path, link) => {
  expect(editorLink(path)).toBe(link);
});
