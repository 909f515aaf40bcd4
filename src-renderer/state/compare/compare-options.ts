// What the user has chosen on the screen of a comparison, as the query of its address.
import {
  columnText,
  pairOutcomes,
  maxComparedInputs,
  parseColumn,
  trendNames,
  type ComparisonFilter,
  type Direction,
  type FieldRule,
  type RowMatching,
} from '#contract';

export const compareTabs = ['rows', 'nodes', 'workflow'] as const;
type CompareTab = (typeof compareTabs)[number];

export type CompareOptions = ComparisonFilter & {
  /** Absent: the server chooses. */
  readonly matching?: RowMatching | undefined;
  readonly rules: readonly FieldRule[];
  /** Fields whose numbers are better when they are higher, or lower. */
  readonly directions: readonly Direction[];
  /** Fields of the input that are columns. */
  readonly inputs: readonly string[];
  /** True: rows are in their order; false: the worst come first. */
  readonly isInOrder: boolean;
  readonly tab: CompareTab;
};

export const isFiltered = ({ outcome, field, trend }: ComparisonFilter): boolean =>
  outcome !== undefined || field !== undefined || trend !== undefined;

/** All rows that both sides have. */
export const noFilter = { outcome: undefined, field: undefined, trend: undefined } as const;

const maxRules = 200;
const maxDirections = 50;

/** Parses any query: parts that are unknown or invalid are dropped. */
export function parseCompareOptions(text: string): CompareOptions {
  const query = new URLSearchParams(text);
  const by = query.get('by') ?? '';
  return {
    matching: by === 'number' || by === 'position' ? by : parseColumn(by),
    rules: rulesIn(query),
    directions: directionsIn(query),
    inputs: namesIn(query, 'with').slice(0, maxComparedInputs),
    isInOrder: query.get('sort') === 'row',
    trend: trendNames.find((each) => each === query.get('trend')),
    outcome: pairOutcomes.find((each) => each === query.get('show')),
    field: query.get('field')?.slice(0, 1_000),
    tab: compareTabs.find((each) => each === query.get('tab')) ?? 'rows',
  };
}

export function compareQuery(options: CompareOptions): string {
  const { matching, rules, directions, inputs, isInOrder, outcome, trend, field, tab } = options;
  const query = new URLSearchParams();
  if (matching !== undefined) query.set('by', typeof matching === 'string' ? matching : columnText(matching));
  for (const rule of rules) {
    if (rule.rule === 'tolerance') query.append('tolerance', `${rule.name}=${rule.tolerance}`);
    else query.append(rule.rule === 'ignore' ? 'ignore' : 'case', rule.name);
  }
  for (const { name, better } of directions) query.append(better, name);
  for (const name of inputs) query.append('with', name);
  if (isInOrder) query.set('sort', 'row');
  const filters = { show: outcome, trend, field };
  for (const [key, value] of Object.entries(filters)) if (value !== undefined) query.set(key, value);
  if (tab !== 'rows') query.set('tab', tab);
  return query.toString();
}

/** One rule a field: the last one counts. */
function rulesIn(query: URLSearchParams): readonly FieldRule[] {
  const rules = new Map<string, FieldRule>();
  for (const name of query.getAll('ignore')) rules.set(name, { name, rule: 'ignore' });
  for (const name of query.getAll('case')) rules.set(name, { name, rule: 'ignoreCase' });
  for (const text of query.getAll('tolerance')) {
    const equals = text.lastIndexOf('=');
    const name = text.slice(0, Math.max(0, equals));
    const tolerance = parseTolerance(text.slice(equals + 1));
    if (equals > 0 && tolerance !== undefined) rules.set(name, { name, rule: 'tolerance', tolerance });
  }
  return [...rules.values()].filter(({ name }) => name.length <= 1_000).slice(0, maxRules);
}

const namesIn = (query: URLSearchParams, key: string): readonly string[] =>
  [...new Set(query.getAll(key))].filter((name) => name.length <= 1_000);

/** One direction a field: `lower` counts if both are there. */
function directionsIn(query: URLSearchParams): readonly Direction[] {
  const lower = namesIn(query, 'lower');
  const higher = namesIn(query, 'higher').filter((name) => !lower.includes(name));
  return [
    ...higher.map((name) => ({ name, better: 'higher' }) as const),
    ...lower.map((name) => ({ name, better: 'lower' }) as const),
  ].slice(0, maxDirections);
}

/** Undefined unless the text is a number from 0 on. */
export function parseTolerance(text: string): number | undefined {
  const number = Number(text);
  return text.trim() !== '' && number >= 0 && number < Infinity ? number : undefined;
}

/** The rules with another one for the field; undefined: the field is compared exactly. */
export const withRule = (
  rules: readonly FieldRule[],
  name: string,
  rule: FieldRule | undefined,
): readonly FieldRule[] => [
  ...rules.filter((each) => each.name !== name),
  ...(rule === undefined ? [] : [rule]),
];

export function ruleText(rule: FieldRule): string {
  if (rule.rule === 'ignore') return 'ignored';
  return rule.rule === 'ignoreCase' ? 'case ignored' : `± ${rule.tolerance}`;
}
