import { describe, expect, it } from 'vitest';
import {
  compareQuery,
  parseCompareOptions,
  type CompareOptions,
} from '../../../../src-renderer/state/compare/compare-options.ts';
import { compareRoute } from '../../../../src-renderer/state/compare/compare-route.ts';
import { attemptText } from '../../../../src-renderer/state/compare/compared-side.ts';
import { nodeChanges, percentChange } from '../../../../src-renderer/state/compare/node-changes.ts';
import { addressOf, parseRoute } from '../../../../src-renderer/state/shell/route.ts';
import { loadDirections, saveDirections } from '../../../../src-renderer/state/compare/stored-directions.ts';
import { runView } from '../../../builders/run-view.ts';

describe('the address of a comparison', () => {
  const all: CompareOptions = {
    matching: { of: 'input', name: 'a.b&c=d' },
    rules: [
      { name: 'time=', rule: 'ignore' },
      { name: 'label', rule: 'ignoreCase' },
      { name: 'a=b', rule: 'tolerance', tolerance: 0.01 },
    ],
    directions: [
      { name: 'score&', better: 'higher' },
      { name: 'ms', better: 'lower' },
    ],
    inputs: ['a=b', 'name'],
    isInOrder: true,
    outcome: 'changed',
    trend: 'worse',
    field: 'a b?#',
    tab: 'nodes',
  };

  it('keeps all that was chosen', () => {
    expect(parseCompareOptions(compareQuery(all))).toEqual(all);
    const route = {
      screen: 'compare',
      firstRunId: 'a-1~12',
      secondRunId: 'b-2',
      query: compareQuery(all),
    } as const;
    const { pathname, search } = new URL(addressOf(route), 'http://127.0.0.1');
    expect(parseRoute(pathname, search)).toEqual(route);
  });

  it('drops what it cannot mean', () => {
    expect(
      parseCompareOptions(
        'by=else&show=none&tab=x&tolerance=a&tolerance=b=-1&tolerance==1&field=f&sort=x&trend=x',
      ),
    ).toEqual({
      matching: undefined,
      rules: [],
      directions: [],
      inputs: [],
      isInOrder: false,
      outcome: undefined,
      trend: undefined,
      field: 'f',
      tab: 'rows',
    });
    expect(parseCompareOptions('higher=a&lower=a&with=b&with=b')).toMatchObject({
      directions: [{ name: 'a', better: 'lower' }],
      inputs: ['b'],
    });
    for (const path of ['/compare/a', '/compare/a~/b', '/compare/a~x/b', '/compare/~1/b'])
      expect(parseRoute(path, '')).toMatchObject({ screen: 'unknown' });
  });

  it('has the older run first', () => {
    const [older, newer] = [{ runId: '0197-a' }, { runId: '0198-a' }];
    expect(compareRoute(newer, older)).toMatchObject({ firstRunId: '0197-a', secondRunId: '0198-a' });
  });
});

it('directions are stored for each workflow, and any text in their place is none', () => {
  const stored = new Map<string, string>();
  const store = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => void stored.set(key, text),
  };
  saveDirections('one', [{ name: 'score', better: 'higher' }], store);
  saveDirections('two', [{ name: 'ms', better: 'lower' }], store);
  expect(loadDirections('one', store)).toEqual([{ name: 'score', better: 'higher' }]);
  saveDirections('one', [], store);
  expect(loadDirections('one', store)).toEqual([]);
  expect(loadDirections('two', store)).toEqual([{ name: 'ms', better: 'lower' }]);
  for (const text of ['{', '[1, ["two", [{}]]]', 'null'])
    expect(loadDirections('two', { ...store, getItem: () => text })).toEqual([]);
});

it('a side says which attempt of its chain it is', () => {
  const attempts = ['a', 'b', 'c'].map((runId, index) =>
    runView({ runId, ...(index === 2 ? { part: 'edited' } : {}) }),
  );
  const counts = { chainId: 'a', rows: 9, done: 9, failed: 0, notRun: 0, open: 0, attempts: 3 };
  expect(attemptText('c', { counts, attempts })).toBe('attempt 3 of 3 · fixed rows');
  expect(attemptText('c~2', { counts, attempts })).toBe('as it was before attempt 3');
  expect(attemptText('c~3', { counts, attempts })).toBe('all 3 attempts');
  expect(attemptText('a', { counts, attempts: attempts.slice(0, 1) })).toBeUndefined();
});

describe('nodes of two runs', () => {
  it('stand side by side, also those that one workflow does not have', () => {
    const node = (nodeId: string, ms: number, type = 'set') => ({
      nodeId,
      type,
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
    const [a, b, c] = nodeChanges([node('a', 120), node('gone', 1)], [node('a', 240), node('new', 1, 'llm')]);
    expect(a).toMatchObject({ nodeId: 'a', before: { rows: 12, mean: 10 }, after: { mean: 20, p95: 2 } });
    expect(b).toMatchObject({ nodeId: 'new', after: { failed: 2 } });
    expect(c).toMatchObject({ nodeId: 'gone' });
    expect(c).not.toHaveProperty('after');
    const renamed = nodeChanges(
      [node('old', 12), node('a', 1), node('b', 1)],
      [node('new', 24), node('a', 1), node('more', 1), node('b', 1)],
    );
    expect(renamed.map(({ nodeId, oldId }) => [nodeId, oldId])).toEqual([
      ['new', 'old'],
      ['a', undefined],
      ['more', undefined],
      ['b', undefined],
    ]);
    expect(renamed[0]).toMatchObject({ before: { mean: 1 }, after: { mean: 2 } });
  });

  it('have a change in percent', () => {
    expect(percentChange(10, 11)).toBe('+10 %');
    expect(percentChange(1_000, 1_001)).toBe('same');
    expect(percentChange(0, 5)).toBeUndefined();
  });
});
