import { describe, expect, it } from 'vitest';
import { parseScenario, scenarioText } from '../../../../src-main/domain/scenarios/parse-scenario.ts';
import {
  chooseEntry,
  scenarioChoices,
  scenarioGroups,
  scenarioSeedEntry,
  textOfChoices,
} from '../../../../src-main/domain/scenarios/scenario-menu.ts';

describe('the menu of scenarios', () => {
  it.each([
    ['', {}, ''],
    ['none', {}, ''],
    ['paused midway', { 'pause-at': 50 }, ''],
    ['api-5xx=0.25,fail-row=7', { 'api-5xx': 25, 'fail-row': 7 }, ''],
    ['429 storm', { 'api-429': 30, 'upstream-429': 30 }, ''],
    [
      'upstream-no-answer=0.2,upstream-slow=1s,seed=7',
      { 'upstream-no-answer': 20, 'upstream-slow': 1000, seed: 7 },
      '',
    ],
    ['slow=2s,queued-for=10s', { slow: 2000 }, 'queued-for=10s'],
    ['pause-at=20', {}, 'pause-at=20'],
    ['api-429=0.333', {}, 'api-429=0.333'],
    ['500 errors', {}, '500 errors'],
  ])('shows %j as numbers, and the rest as text', (text, numbers, rest) => {
    expect(scenarioChoices(text)).toEqual({ numbers, rest });
  });

  it.each([
    ['429 storm', 'api-429=0.3,upstream-429=0.3'],
    ['slow=2s,queued-for=10s', 'queued-for=10s,slow=2s'],
    ['pause-at=20,fail-row=2', 'fail-row=2,pause-at=20'],
    ['500 errors', '500 errors'],
    ['none', ''],
  ])('gives %j back', (text, written) => {
    expect(textOfChoices(scenarioChoices(text))).toBe(written);
  });

  it('keeps a text that it cannot read beside what is chosen', () => {
    expect(textOfChoices({ numbers: { slow: 200 }, rest: '500 errors' })).toBe('slow=200ms,500 errors');
  });

  it('never lets two answers take more than all calls', () => {
    const both = { numbers: { 'api-429': 30, 'api-5xx': 30, slow: 5 }, rest: '' };
    expect(chooseEntry(both, 'api-429', 90).numbers).toEqual({ 'api-429': 90, 'api-5xx': 10, slow: 5 });
    expect(chooseEntry(both, 'api-5xx', 100).numbers).toEqual({ 'api-5xx': 100, slow: 5 });
    const three = { 'upstream-429': 50, 'upstream-5xx': 30, 'upstream-no-answer': 20 };
    expect(chooseEntry({ numbers: three, rest: '' }, 'upstream-no-answer', 60).numbers).toEqual({
      'upstream-429': 40,
      'upstream-no-answer': 60,
    });
    expect(chooseEntry(both, 'slow', undefined).numbers).toEqual({ 'api-429': 30, 'api-5xx': 30 });
  });

  it('has two groups, and the services that the run calls come first', () => {
    expect(scenarioGroups.map(({ id }) => id)).toEqual(['services', 'client']);
    for (const { id, entries } of scenarioGroups)
      for (const { key } of entries) expect(key.startsWith('upstream-')).toBe(id === 'services');
  });

  it('composes a valid scenario of each entry, at its bounds and at its first number', () => {
    for (const { key, min, max, initial } of [
      ...scenarioGroups.flatMap(({ entries }) => entries),
      scenarioSeedEntry,
    ])
      for (const number of [min, initial, max]) {
        const text = textOfChoices({ numbers: { [key]: number }, rest: '' });
        const { scenario, problems } = parseScenario(text);
        expect(problems).toEqual([]);
        expect(scenarioText(scenario ?? {})).toBe(text);
        expect(scenarioChoices(text).numbers).toEqual({ [key]: number });
      }
  });
});
