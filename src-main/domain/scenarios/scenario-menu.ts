// Scenarios as a menu: each entry is a part of a scenario with one number. A stored text becomes choices and back; what
// the menu does not have stays as text.
import { faultShares } from './call-fault.ts';
import type { RowPosition, Scenario, ScenarioKey } from './scenario.ts';
import { parseScenario, scenarioText } from './parse-scenario.ts';

/** Entries whose faults strike the same calls: those to services, or those of the polling client. */
type MenuGroup = {
  readonly id: 'services' | 'client';
  readonly title: string;
  readonly entries: readonly MenuEntry[];
};

type MenuEntry = {
  readonly key: Exclude<ScenarioKey, 'queued-for' | 'cancel-at'>;
  readonly label: string;
  /** Words after the number. */
  readonly unit: string;
  readonly min: number;
  readonly max: number;
  /** The number of an entry that has just been chosen. */
  readonly initial: number;
};

const percent = { unit: '% of calls', min: 1, max: 100, initial: 30 };
const wait = { min: 1, max: 3_600_000 };

export const scenarioGroups: readonly MenuGroup[] = [
  {
    id: 'services',
    title: 'Services that the run calls',
    entries: [
      { key: 'upstream-429', label: 'Service answers 429', ...percent },
      { key: 'upstream-5xx', label: 'Service answers 500', ...percent },
      { key: 'upstream-slow', label: 'Service is slow', unit: 'ms more per call', ...wait, initial: 1000 },
      { key: 'upstream-no-answer', label: 'Service gives no answer', ...percent },
    ],
  },
  {
    id: 'client',
    title: 'What the polling client sees',
    entries: [
      { key: 'api-429', label: 'Polling client gets 429', ...percent },
      { key: 'api-5xx', label: 'Polling client gets 500', ...percent },
      { key: 'slow', label: 'Each row is slow', unit: 'ms more per row', ...wait, initial: 200 },
      { key: 'pause-at', label: 'Run pauses midway', unit: '% of rows done', min: 0, max: 99, initial: 50 },
      { key: 'fail-row', label: 'One row fails', unit: 'is its number', min: 1, max: 1_000_000, initial: 1 },
    ],
  },
];

/** Beside the groups: it decides which calls a share strikes, in both. */
export const scenarioSeedEntry: MenuEntry = {
  key: 'seed',
  label: 'Fixed seed',
  unit: 'chooses which calls fail',
  min: 0,
  max: 2 ** 32 - 1,
  initial: 1,
};

const scenarioMenu = [...scenarioGroups.flatMap(({ entries }) => entries), scenarioSeedEntry];

/** `numbers` by key of the chosen entries; `rest`: parts that the menu does not have, as text, or empty. */
export type ScenarioChoices = {
  readonly numbers: Readonly<Partial<Record<ScenarioKey, number>>>;
  readonly rest: string;
};

/** A text that is no scenario is kept as it is, in `rest`. */
export function scenarioChoices(text: string): ScenarioChoices {
  const { scenario } = parseScenario(text === '' ? 'none' : text);
  if (scenario === undefined) return { numbers: {}, rest: text };
  const numbers = Object.fromEntries(
    scenarioMenu.flatMap(({ key }) => {
      const number = numberOf(scenario, key);
      return number === undefined ? [] : [[key, number] as const];
    }),
  );
  const rest = Object.entries(scenario).filter(([key]) => !Object.hasOwn(numbers, key));
  return { numbers, rest: rest.length === 0 ? '' : scenarioText(Object.fromEntries(rest)) };
}

/**
 * The choices with another number for an entry, or without the entry. A call gets one answer, so the shares of the other
 * answers become smaller where all would be more than all calls.
 */
export function chooseEntry(
  { numbers, rest }: ScenarioChoices,
  key: ScenarioKey,
  number: number | undefined,
): ScenarioChoices {
  const chosen = new Map(Object.entries(numbers).filter(([other]) => other !== key));
  if (number === undefined) return { numbers: Object.fromEntries(chosen), rest };
  let left = 100 - number;
  for (const other of sharesWith(key)) {
    const share = Math.min(chosen.get(other) ?? 0, left);
    if (share > 0) chosen.set(other, share);
    else chosen.delete(other);
    left -= share;
  }
  return { numbers: Object.fromEntries(chosen.set(key, number)), rest };
}

/** The other parts that are shares of the same calls. */
const sharesWith = (key: ScenarioKey): readonly ScenarioKey[] =>
  Object.values<readonly ScenarioKey[]>(faultShares)
    .filter((shares) => shares.includes(key))
    .flat()
    .filter((other) => other !== key);

const isShare = (key: ScenarioKey): boolean => sharesWith(key).length > 0;

/** The text that settings and runs store; empty for no scenario. */
export function textOfChoices({ numbers, rest }: ScenarioChoices): string {
  const parts = scenarioMenu.flatMap(({ key }) => {
    const number = numbers[key];
    return number === undefined ? [] : [[key, valueOf(key, number)] as const];
  });
  if (parts.length === 0) return rest;
  const chosen = scenarioText(Object.fromEntries(parts));
  const text = rest === '' ? chosen : `${chosen},${rest}`;
  const { scenario } = parseScenario(text);
  return scenario === undefined ? text : scenarioText(scenario);
}

/** Undefined if the number of the part is not one of the menu's. */
function numberOf(scenario: Scenario, key: ScenarioKey): number | undefined {
  const value = scenario[key];
  if (value === undefined) return undefined;
  if (typeof value === 'object') return 'percent' in value ? value.percent : undefined;
  if (!isShare(key)) return value;
  const share = Math.round(value * 100);
  return share / 100 === value ? share : undefined;
}

function valueOf(key: ScenarioKey, number: number): number | RowPosition {
  if (key === 'pause-at') return { percent: number };
  return isShare(key) ? number / 100 : number;
}

/** Reasons why the text is no scenario; none for an empty text. */
export const scenarioProblems = (text: string): readonly string[] =>
  text === '' ? [] : parseScenario(text).problems;

/** `Service answers 500: 30 % of calls, One row fails: 1`; empty for no scenario. */
export function describeScenario(text: string): string {
  const { numbers, rest } = scenarioChoices(text);
  const chosen = scenarioMenu.flatMap(({ key, label, unit }) => {
    const number = numbers[key];
    if (number === undefined) return [];
    return [`${label}: ${key === 'fail-row' || key === 'seed' ? number : `${number} ${unit}`}`];
  });
  return [...chosen, ...(rest === '' ? [] : [rest])].join(', ');
}
