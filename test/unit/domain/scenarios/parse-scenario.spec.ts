import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  parseScenario,
  readScenario,
  scenarioText,
} from '../../../../src-main/domain/scenarios/parse-scenario.ts';
import type { Scenario } from '../../../../src-main/domain/scenarios/scenario.ts';
import { scenarioSchema } from '../../../../src-main/domain/scenarios/scenario-schema.ts';

describe('a scenario', () => {
  it.each<[string, Scenario, string?]>([
    ['queued-for=10s', { 'queued-for': 10_000 }],
    ['queued-for=90s', { 'queued-for': 90_000 }],
    ['queued-for=0.5h', { 'queued-for': 1_800_000 }, 'queued-for=30m'],
    ['fail-row=3', { 'fail-row': 3 }],
    ['pause-at=50%', { 'pause-at': { percent: 50 } }],
    ['cancel-at=7', { 'cancel-at': { row: 7 } }],
    ['slow=200ms', { slow: 200 }],
    ['api-429=30%', { 'api-429': 0.3 }, 'api-429=0.3'],
    ['upstream-5xx=1', { 'upstream-5xx': 1 }],
    [
      'upstream-429=0.1,upstream-5xx=0.2,upstream-no-answer=0.7',
      { 'upstream-429': 0.1, 'upstream-5xx': 0.2, 'upstream-no-answer': 0.7 },
    ],
    ['seed=7,slow=1s', { seed: 7, slow: 1000 }, 'slow=1s,seed=7'],
    [' Slow = 1s , SEED=7 ', { seed: 7, slow: 1000 }, 'slow=1s,seed=7'],
    ['none', {}],
  ])('is read from %j', (text, scenario, canonical = text) => {
    expect(readScenario(text)).toEqual(scenario);
    expect(scenarioText(scenario)).toBe(canonical);
  });

  it.each([
    ['stays queued', 'queued-for=10s'],
    ['stays-queued=1m', 'queued-for=1m'],
    ['fails on row=3', 'fail-row=3'],
    ['paused midway', 'pause-at=50%'],
    ['cancelled midway', 'cancel-at=50%'],
    ['slow', 'slow=200ms'],
    ['429 storm', 'api-429=0.3,upstream-429=0.3'],
    ['5xx-storm=0.5', 'api-5xx=0.5,upstream-5xx=0.5'],
  ])('may be said as %j', (said, text) => {
    expect(scenarioText(readScenario(said))).toBe(text);
  });

  it('is refused with all that is wrong at once', () => {
    const { problems } = parseScenario(
      'queued-fro=1s,fail-row,slow=soon,,seed=1,seed=2,api-429=0.6,api-5xx=0.6',
    );
    expect(problems).toEqual([
      'there is no "queued-fro" (did you mean "queued-for"?)',
      '"fail-row" needs the number of a row, from 1',
      '"slow" needs a duration such as 400ms, 2s, 1m or 1h, from 1ms to 24h',
      'a part has no name',
      '"seed" is there twice',
      '"api-429" and "api-5xx" are more than all calls together',
    ]);
    expect(parseScenario('429').problems).toEqual([
      'there is no "429"; the parts are queued-for, fail-row, pause-at, cancel-at, slow, api-429, api-5xx, upstream-429, upstream-5xx, upstream-no-answer, upstream-slow, seed',
    ]);
    expect(parseScenario('upstream-429=0.5,upstream-no-answer=0.6').problems).toEqual([
      '"upstream-429" and "upstream-no-answer" are more than all calls together',
    ]);
    expect(() => readScenario('slwo')).toThrow(
      'The scenario cannot be read: there is no "slwo" (did you mean "slow"?). One looks like "queued-for=10s,fail-row=3"',
    );
  });

  it.each([
    '',
    'fail-row=0',
    'fail-row=1.5',
    'fails-on-row',
    'pause-at=100%',
    'pause-at=0',
    'slow=25h',
    'slow=0ms',
    'api-429=0',
    'api-429=1.5',
    'api-429=101%',
    'seed=4294967296',
    'seed=-1',
    '__proto__=1',
    'toString=1',
    'slow=1s,none',
    `slow=1s${' '.repeat(500)}`,
  ])('is not read from %j', (text) => {
    expect(parseScenario(text)).toEqual({ problems: [expect.any(String)] });
  });

  it('has one text, which reads back as it was and passes for a header', () => {
    fc.assert(
      fc.property(scenarios, (scenario) => {
        const text = scenarioText(scenario);
        expect(scenarioSchema.safeParse(scenario).success).toBe(true);
        expect(readScenario(text)).toEqual(scenario);
        expect(text).toMatch(/^[\w%.,=-]+$/);
      }),
    );
  });
});

const wait = fc.integer({ min: 1, max: 86_400_000 });
const row = fc.integer({ min: 1, max: 999_999_999 });
const position = fc.oneof(fc.record({ row }), fc.record({ percent: fc.integer({ min: 0, max: 99 }) }));
/** Two of them are never more than all. */
const share = fc.integer({ min: 1, max: 5000 }).map((parts) => parts / 10_000);
const scenarios: fc.Arbitrary<Scenario> = fc.record(
  {
    'queued-for': wait,
    'fail-row': row,
    'pause-at': position,
    'cancel-at': position,
    slow: wait,
    'api-429': share,
    'api-5xx': share,
    'upstream-429': share,
    'upstream-5xx': share,
    'upstream-slow': wait,
    seed: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  },
  { requiredKeys: [] },
);
