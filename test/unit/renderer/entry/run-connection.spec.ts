import { describe, expect, it } from 'vitest';
import { connectionOf, startInputOf } from '../../../../src-renderer/state/entry/run-connection.ts';
import type { OriginalRun } from '../../../../src-renderer/state/entry/row-editor.svelte.ts';
import { runLabel } from '../../../../src-renderer/state/entry/run-label.ts';

const here: OriginalRun = { runId: 'r1', rows: 'failed' };
const there: OriginalRun = { ...here, on: 'prod' };

describe('rows of row entry run', () => {
  it('where the run was that they come from, unless the user chooses', () => {
    expect(connectionOf({}, undefined)).toBeUndefined();
    expect(connectionOf({}, there)).toBe('prod');
    expect(connectionOf({ on: 'here' }, there)).toBeUndefined();
    expect(connectionOf({ on: 'prod' }, here)).toBe('prod');
  });

  it('with options that fit the place, which is named wherever it could be meant otherwise', () => {
    const options = { mode: 'mocks', scenario: 'fail-row=1', sample: '3' } as const;
    expect(startInputOf(options, here)).toEqual({ ...options, rerunOf: 'r1' });
    expect(startInputOf(options, there)).toEqual({ sample: '3', on: 'prod', rerunOf: 'r1' });
    expect(startInputOf({ ...options, on: 'here' }, there)).toEqual({
      ...options,
      on: 'here',
      rerunOf: 'r1',
    });
    expect(startInputOf({ on: 'prod' }, undefined)).toEqual({ on: 'prod' });
    expect(startInputOf({ on: 'here' }, undefined)).toEqual({});
  });

  it('from a button that says where', () => {
    expect(runLabel({ rows: 8, total: 8, connection: 'prod' })).toBe('Run 8 rows on prod');
    expect(runLabel({ rows: 3, total: 8, which: 'changed', connection: 'prod' })).toBe(
      'Run 3 of 8 changed rows on prod',
    );
    expect(runLabel({ rows: 8, total: 8, which: 'again' })).toBe('Run 8 rows again');
  });
});
