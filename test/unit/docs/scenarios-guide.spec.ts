import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { readScenario, scenarioText } from '../../../src-main/domain/scenarios/parse-scenario.ts';
import { scenarioKeys } from '../../../src-main/domain/scenarios/scenario.ts';

const guide = await readFile(new URL('../../../docs/guide/scenarios.md', import.meta.url), 'utf8');
const rows = [...guide.matchAll(/^\| `([^`]+)` +\| (?:`([^`]+)`)?/gm)].map(([, part = '', said]) => ({
  part,
  said,
}));

it('the guide lists the parts that there are, each as it is written', () => {
  expect(rows.map(({ part }) => part.split('=')[0])).toEqual([...scenarioKeys]);
  for (const { part } of rows) expect(scenarioText(readScenario(part))).toBe(part);
});

it.each(rows.filter(({ said }) => said !== undefined))('$said says $part', ({ part, said = '' }) => {
  expect(scenarioText(readScenario(said)).split(',')).toContain(part);
});

it('the examples of the guide are read', () => {
  expect(scenarioText(readScenario('paused midway, 429 storm'))).toBe(
    'pause-at=50%,api-429=0.3,upstream-429=0.3',
  );
  expect(guide).toContain('x-rowbench-scenario: paused midway, 429 storm');
  expect(guide).toContain('x-rowbench-scenario: pause-at=50%,api-429=0.3,upstream-429=0.3');
});
