import { describe, expect, it } from 'vitest';
import {
  compareQuery,
  parseCompareOptions,
  type CompareOptions,
} from '../../../../src-renderer/state/compare/compare-options.ts';
import { compareRoute } from '../../../../src-renderer/state/compare/compare-route.ts';
import { comparisonChoices } from '../../../../src-renderer/state/compare/compared-run.ts';
import { nodeChanges, percentChange } from '../../../../src-renderer/state/compare/node-changes.ts';
import { addressOf, parseRoute } from '../../../../src-renderer/state/shell/route.ts';
import { runView } from '../../../builders/run-view.ts';

describe('the address of a comparison', () => {
  const all: CompareOptions = {
    matching: { of: 'input', name: 'a.b&c=d' },
    rules: [
      { name: 'time=', rule: 'ignore' },
      { name: 'label', rule: 'ignoreCase' },
      { name: 'a=b', rule: 'tolerance', tolerance: 0.01 },
    ],
    outcome: 'changed',
    field: 'a b?#',
    tab: 'nodes',
  };

  it('keeps all that was chosen', () => {
    expect(parseCompareOptions(compareQuery(all))).toEqual(all);
    const route = {
      screen: 'compare',
      firstRunId: 'a-1',
      secondRunId: 'b-2',
      query: compareQuery(all),
    } as const;
    const { pathname, search } = new URL(addressOf(route), 'http://127.0.0.1');
    expect(parseRoute(pathname, search)).toEqual(route);
  });

  it('drops what it cannot mean', () => {
    expect(
      parseCompareOptions('by=else&show=none&tab=x&tolerance=a&tolerance=b=-1&tolerance==1&field=f'),
    ).toEqual({ matching: undefined, rules: [], outcome: undefined, field: 'f', tab: 'rows' });
    expect(parseRoute('/compare/a', '')).toMatchObject({ screen: 'unknown' });
  });

  it('has the older run first', () => {
    const [older, newer] = [{ runId: '0197-a' }, { runId: '0198-a' }];
    expect(compareRoute(newer, older)).toMatchObject({ firstRunId: '0197-a', secondRunId: '0198-a' });
  });
});

describe('the run that another is compared with', () => {
  const runOf = (n: number, more: Partial<ReturnType<typeof runView>> = {}) =>
    runView({ runId: `0197a000-0000-7000-8000-${String(n).padStart(12, '0')}`, ...more });

  it('is the run that it repeats, then the last pinned one, then the one before', () => {
    const [one, two, three, four] = [
      runOf(1),
      runOf(2, { labels: { isPinned: true } }),
      runOf(3),
      runOf(4, { rerunOf: runOf(1).runId }),
    ];
    const chosen = comparisonChoices(four, [four, three, two, one]).map(({ run }) => run);
    expect(chosen).toEqual([one, two, three]);
    expect(comparisonChoices(three, [four, three, two, one]).map(({ run }) => run)).toEqual([two]);
  });

  it('is none of another workflow', () => {
    expect(comparisonChoices(runOf(2), [runOf(2), runOf(1, { workflowId: 'other' })])).toEqual([]);
  });
});

describe('nodes of two runs', () => {
  it('stand side by side, also those that one workflow does not have', () => {
    const node = (nodeId: string, ms: number) => ({
      nodeId,
      type: 'set',
      done: 10,
      failed: 2,
      skipped: 5,
      replaced: 0,
      retries: 0,
      ms,
      p50: 1,
      p95: 2,
      p99: 3,
      latency: [{ fromMs: 0, toMs: 1, rows: 12 }],
    });
    const [a, b, c] = nodeChanges([node('a', 120), node('gone', 1)], [node('a', 240), node('new', 1)]);
    expect(a).toMatchObject({ nodeId: 'a', before: { rows: 12, mean: 10 }, after: { mean: 20, p95: 2 } });
    expect(b).toMatchObject({ nodeId: 'new', after: { failed: 2 } });
    expect(c).toMatchObject({ nodeId: 'gone' });
    expect(c).not.toHaveProperty('after');
  });

  it('have a change in percent', () => {
    expect(percentChange(10, 11)).toBe('+10 %');
    expect(percentChange(1_000, 1_001)).toBe('same');
    expect(percentChange(0, 5)).toBeUndefined();
  });
});
