// Scenarios as a menu: each entry is a part of a scenario with one number. A stored text becomes choices and back; what
// the menu does not have stays as text.
import type { RowPosition, Scenario, ScenarioKey } from './scenario.ts';
import { parseScenario, scenarioText } from './parse-scenario.ts';

type MenuKey = Extract<ScenarioKey, 'api-5xx' | 'api-429' | 'slow' | 'pause-at' | 'fail-row'>;

type MenuEntry = {
  readonly key: MenuKey;
  readonly label: string;
  /** Words after the number. */
  readonly unit: string;
  readonly min: number;
  readonly max: number;
  /** The number of an entry that has just been chosen. */
  readonly initial: number;
};

const percent = { min: 1, max: 100, initial: 30 };

export const scenarioMenu: readonly MenuEntry[] = [
  { key: 'api-5xx', label: 'API answers 500', unit: '% of calls', ...percent },
  { key: 'api-429', label: 'API answers 429', unit: '% of calls', ...percent },
  { key: 'slow', label: 'Slow', unit: 'ms per row', min: 1, max: 3_600_000, initial: 200 },
  { key: 'pause-at', label: 'Paused midway', unit: '% of rows done', min: 0, max: 99, initial: 50 },
  { key: 'fail-row', label: 'Row fails', unit: 'is its number', min: 1, max: 1_000_000, initial: 1 },
];

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
 * The choices with another number for an entry, or without the entry. A call gets one answer, so the share of the other
 * answer becomes smaller where both would be more than all calls.
 */
export function chooseEntry(
  { numbers, rest }: ScenarioChoices,
  key: ScenarioKey,
  number: number | undefined,
): ScenarioChoices {
  const chosen = new Map(Object.entries(numbers).filter(([other]) => other !== key));
  if (number === undefined) return { numbers: Object.fromEntries(chosen), rest };
  const other = key === 'api-429' ? 'api-5xx' : key === 'api-5xx' ? 'api-429' : undefined;
  const share = other === undefined ? undefined : chosen.get(other);
  if (other !== undefined && share !== undefined && share + number > 100) {
    if (number === 100) chosen.delete(other);
    else chosen.set(other, 100 - number);
  }
  return { numbers: Object.fromEntries(chosen.set(key, number)), rest };
}

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
function numberOf(scenario: Scenario, key: MenuKey): number | undefined {
  const value = scenario[key];
  if (value === undefined) return undefined;
  if (typeof value === 'object') return 'percent' in value ? value.percent : undefined;
  if (!key.startsWith('api-')) return value;
  const share = Math.round(value * 100);
  return share / 100 === value ? share : undefined;
}

function valueOf(key: MenuKey, number: number): number | RowPosition {
  if (key === 'pause-at') return { percent: number };
  return key.startsWith('api-') ? number / 100 : number;
}

/** Reasons why the text is no scenario; none for an empty text. */
export const scenarioProblems = (text: string): readonly string[] =>
  text === '' ? [] : parseScenario(text).problems;

/** `API answers 500: 30 % of calls, Row fails: 1`; empty for no scenario. */
export function describeScenario(text: string): string {
  const { numbers, rest } = scenarioChoices(text);
  const chosen = scenarioMenu.flatMap(({ key, label, unit }) => {
    const number = numbers[key];
    if (number === undefined) return [];
    return [`${label}: ${key === 'fail-row' ? number : `${number} ${unit}`}`];
  });
  return [...chosen, ...(rest === '' ? [] : [rest])].join(', ');
}
