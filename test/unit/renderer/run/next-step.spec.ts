import { describe, expect, it } from 'vitest';
import { runStatuses } from '../../../../src-main/contract/index.ts';
import {
  canFix,
  counterText,
  nextSteps,
  type ChainSituation,
} from '../../../../src-renderer/state/run/next-step.ts';

const chain = (changes: Partial<ChainSituation> = {}): ChainSituation => ({
  status: 'completed',
  attempts: 1,
  rows: 5_003,
  done: 5_003,
  failed: 0,
  open: 0,
  restRows: 0,
  untakenRows: 0,
  hasRecording: false,
  ...changes,
});

const open = { done: 4_863, failed: 140, open: 140 };
const sample = { done: 9, failed: 1, open: 4_994, restRows: 4_993, untakenRows: 4_993, sampleRows: 10 };

/** The button, the one next to it, and its menu. */
const titles = (changes: Partial<ChainSituation>) => {
  const { primary, secondary, isQuiet, others } = nextSteps(chain(changes));
  return {
    button: primary.title,
    secondary: secondary?.title,
    isQuiet,
    menu: others.map(({ id }) => id),
  };
};

const newChain = ['all', 'from', 'edit-all', 'scenario'];

describe('the next step of a chain', () => {
  it.each([
    ['queued', 'Pause'],
    ['running', 'Pause'],
    ['pausing', 'Resume'],
    ['paused', 'Resume'],
  ] as const)('is that of the attempt that is %s: %s', (status, button) => {
    expect(titles({ ...open, status })).toEqual({
      button,
      secondary: 'Cancel',
      isQuiet: false,
      menu: newChain,
    });
  });

  it.each(['completed', 'failed', 'cancelled'] as const)(
    'of one that is %s is to fix the open rows',
    (status) => {
      expect(titles({ ...open, status })).toEqual({
        button: 'Fix 140 rows…',
        secondary: undefined,
        isQuiet: false,
        menu: ['rerun-open', ...newChain],
      });
    },
  );

  it('after a sample is to run the other rows; only rows that ran can be fixed', () => {
    const { primary, others } = nextSteps(chain({ ...sample, restMs: 490 }));
    expect(primary).toEqual({ id: 'rest', title: 'Run the other 4,993 rows', note: 'About 490 ms' });
    expect(others.map(({ title }) => title)).toEqual([
      'Fix 1 row…',
      'Rerun 1 open row',
      'Run the sample again',
      'Rerun from a node…',
      'Edit all rows first…',
      'Inject failures…',
    ]);
  });

  it('after a sample of edited rows is the rest, although each row has an output', () => {
    expect(titles({ restRows: 2, sampleRows: 1 })).toMatchObject({
      button: 'Run the other 2 rows',
      isQuiet: false,
      menu: ['again', ...newChain],
    });
  });

  it('is no advice if all rows are done', () => {
    expect(titles({})).toEqual({
      button: 'Run all 5,003 rows again',
      secondary: undefined,
      isQuiet: true,
      menu: ['from', 'edit-all', 'scenario'],
    });
  });

  it('is a rerun where nothing in the rows can be fixed', () => {
    for (const changes of [
      { ...open, fault: 'service' as const },
      { done: 4_863, failed: 0, open: 140 },
    ])
      expect(titles(changes)).toMatchObject({
        button: 'Rerun 140 open rows',
        menu: ['fix', ...newChain],
      });
  });

  it('is no fix of more rows than the grid takes', () => {
    const steps = nextSteps(chain({ rows: 300_000, done: 100_000, failed: 200_000, open: 200_000 }));
    expect(steps.primary.title).toBe('Rerun 200,000 open rows');
    expect(canFix(steps)).toBe(false);
    expect(canFix(nextSteps(chain(open)))).toBe(true);
  });

  it('offers recorded answers only where there are some', () => {
    expect(titles({ ...open, hasRecording: true }).menu).toContain('replay');
  });

  it('is there for each status, and no step is offered twice', () => {
    for (const status of runStatuses)
      for (const rows of [{}, open, sample]) {
        const { primary, secondary, others } = nextSteps(chain({ status, ...rows }));
        const ids = [primary, ...(secondary === undefined ? [] : [secondary]), ...others].map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
      }
  });
});

it('the counter says how many rows are done and open, and open ones only at rest', () => {
  expect(counterText(chain({ ...open, attempts: 4 }))).toBe('4,863 of 5,003 done · 140 open · 4 attempts');
  expect(counterText(chain({ ...open, attempts: 4, status: 'running' }))).toBe(
    '4,863 of 5,003 done · 4 attempts',
  );
  expect(counterText(chain())).toBe('5,003 of 5,003 done');
});

describe('the next step of a chain at a hosted service', () => {
  const hosted = { connection: 'prod', isSent: false, refusal: undefined };

  it('says where new attempts run, and has no steps of nodes', () => {
    expect(titles({ ...open, hosted })).toMatchObject({ button: 'Fix 140 rows…' });
    expect(nextSteps(chain({ ...open, hosted })).others.map(({ title }) => title)).toEqual([
      'Rerun 140 open rows on prod',
      'Run all 5,003 rows again on prod',
      'Run all 5,003 rows on this machine',
      'Edit all rows first…',
    ]);
  });

  it('takes no rows that the service may have', () => {
    const unknown = { status: 'paused', done: 0, open: 0, unknown: 5_003 } as const;
    const refusal = 'prod may have these rows';
    const steps = nextSteps(chain({ ...unknown, hosted: { ...hosted, isSent: true, refusal } }));
    expect(steps.primary.id).toBe('cancel');
    expect(steps.primary.note).toContain('goes on at prod');
    expect(steps.secondary).toBeUndefined();
    expect(steps.others).not.toEqual([]);
    for (const step of steps.others) expect(step).toMatchObject({ isDisabled: true, note: refusal });
    expect(canFix(steps)).toBe(false);
    expect(counterText(chain({ ...unknown, hosted }))).toBe('0 of 5,003 done · 5,003 unknown');
  });

  it('is to pause it before its rows are sent', () => {
    expect(titles({ status: 'queued', hosted: { ...hosted, refusal: 'later' } })).toMatchObject({
      button: 'Pause',
      secondary: 'Cancel',
    });
  });
});
