// The doctor's counts over logs in which answers, refusals of all kinds and calls without an answer are mixed.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Advice } from '../../../../src-main/domain/api-log/advice.ts';
import type { LoggedCall } from '../../../../src-main/domain/api-log/logged-call.ts';
import { diagnose } from '../../../../src-main/domain/api-log/polling-doctor.ts';
import { loggedCall } from '../../../builders/logged-call.ts';

type Answer = Partial<LoggedCall>;

const refused = (
  status: number,
  code: NonNullable<LoggedCall['refusal']>['code'],
  limit?: string,
): Answer => ({
  status,
  refusal: { code, message: code, retryAfterSeconds: 10, ...(limit === undefined ? {} : { limit }) },
});

const answers = {
  completed: { runStatus: 'completed' },
  running: { runStatus: 'running' },
  limited: { ...refused(429, 'rate_limited', 'status-per-run'), runStatus: 'completed' },
  byScenario: { ...refused(429, 'rate_limited', 'scenario'), runStatus: 'completed' },
  notCompleted: { ...refused(400, 'run_not_completed'), runStatus: 'running' },
  noKey: { ...refused(401, 'invalid_key'), key: undefined, keyLocation: 'nowhere' },
  notFound: refused(404, 'run_not_found'),
  failed: { ...refused(500, 'scenario_failed'), runStatus: 'completed' },
} as const satisfies Record<string, Answer | { key: undefined }>;
type Kind = keyof typeof answers;
const kinds = Object.keys(answers) as Kind[];

type Made = { readonly kind: Kind; readonly cut: 'no' | 'before' | 'within' };

/** A log of one client's calls about one run, a call each 20 seconds. */
function logOf(made: readonly Made[], route: LoggedCall['route']): readonly LoggedCall[] {
  return made.map(({ kind, cut }, index) => {
    const { key, ...call } = loggedCall({
      number: index + 1,
      at: index * 20_000,
      route,
      ...(answers[kind] as Answer),
      ...(cut === 'no' ? {} : { isCut: true }),
      ...(cut === 'before' ? { status: 0 } : {}),
    });
    return kind === 'noKey' || key === undefined ? call : { ...call, key };
  });
}

const adviceOn = (calls: readonly LoggedCall[]): readonly Advice[] =>
  diagnose({ calls, limits: 'published', workflowIds: [], now: (calls.at(-1)?.at ?? 0) + 1 });

const countOf = (advice: readonly Advice[], kind: Advice['kind']): number =>
  advice.find((each) => each.kind === kind)?.calls ?? 0;

const made = fc.array(
  fc.record({
    kind: fc.constantFrom(...kinds),
    cut: fc.constantFrom('no' as const, 'before' as const, 'within' as const),
  }),
  { maxLength: 40 },
);
const answered = (log: readonly Made[], kind: Kind): number =>
  log.filter((call) => call.kind === kind && call.cut === 'no').length;

describe('advice on a log with mixed answers', () => {
  it('counts only calls that were answered with what it says', () => {
    fc.assert(
      fc.property(made, (log) => {
        const status = adviceOn(logOf(log, 'status'));
        expect(countOf(status, 'finished-run')).toBe(Math.max(0, answered(log, 'completed') - 1));
        expect(countOf(status, 'over-limit')).toBe(answered(log, 'limited'));
        expect(countOf(status, 'scenario')).toBe(answered(log, 'byScenario'));
        expect(countOf(status, 'key-missing')).toBe(answered(log, 'noKey'));
        expect(countOf(status, 'run-unknown')).toBe(answered(log, 'notFound'));
        const early = answered(log, 'notCompleted');
        expect(countOf(adviceOn(logOf(log, 'output')), 'early-output')).toBe(early < 2 ? 0 : early);
      }),
      { numRuns: 500 },
    );
  });

  it('names a call that it counted as the last one', () => {
    fc.assert(
      fc.property(made, (log) => {
        const calls = logOf(log, 'status');
        for (const { kind, lastNumber } of adviceOn(calls)) {
          const last = calls.find(({ number }) => number === lastNumber);
          expect(last?.status).not.toBe(0);
          if (kind === 'finished-run') expect(last?.refusal).toBeUndefined();
        }
      }),
      { numRuns: 300 },
    );
  });

  it('does not say that a client was told the end of a run when nine of its calls were rate limited', () => {
    const limited = Array.from({ length: 9 }, (): Made => ({ kind: 'limited', cut: 'no' }));
    const advice = adviceOn(logOf([...limited, { kind: 'completed', cut: 'no' }], 'status'));
    expect(advice.map(({ kind, calls }) => [kind, calls])).toEqual([['over-limit', 9]]);
  });

  it('does not say that a call came after the end that was under way when the client was told of it', () => {
    const calls = [1, 2, 3].map((number) =>
      loggedCall({ number, at: 1_000 + number, ms: 50, runStatus: 'completed' }),
    );
    expect(adviceOn(calls).filter(({ kind }) => kind === 'finished-run')).toEqual([]);
  });

  it('does not foresee a limit of the run for calls about a run that is not there', () => {
    const calls = Array.from({ length: 12 }, (_, index) =>
      loggedCall({ number: index + 1, at: index * 2_000, ...answers.notFound }),
    );
    expect(adviceOn(calls).map(({ kind }) => kind)).toEqual(['run-unknown']);
  });

  it('counts a wait as ignored only if a limit asked for it and the client was told', () => {
    const calls = (['limited', 'failed', 'limited', 'limited', 'running'] as const).map((kind, index) =>
      loggedCall({
        number: index + 1,
        at: index * 1_000,
        ...(answers[kind] as Answer),
        ...(index === 2 ? { status: 0, isCut: true } : {}),
      }),
    );
    expect(adviceOn(calls)[0]?.text).toContain('It came back twice before Retry-After was over.');
  });
});
