// Reads and writes a scenario as text, for a header, a setting and an option: parts joined by commas, such as
// `queued-for=10s,fail-row=3`. Aliases in everyday words stand for parts: `paused midway`, `429 storm`.
import { didYouMean } from '../closest-name.ts';
import { scenarioInvalid } from '../run-errors.ts';
import { faultShares } from './call-fault.ts';
import { scenarioKeys, type Scenario, type ScenarioKey, type RowPosition } from './scenario.ts';
import { durationForm, longestWaitMs, parseDuration } from '../duration.ts';

/** Aliases in everyday words: the parts that each sets, and the default value, if it has one. */
const sayings = new Map<string, { readonly parts: readonly ScenarioKey[]; readonly value?: string }>([
  ['stays-queued', { parts: ['queued-for'], value: '10s' }],
  ['fails-on-row', { parts: ['fail-row'] }],
  ['paused-midway', { parts: ['pause-at'], value: '50%' }],
  ['cancelled-midway', { parts: ['cancel-at'], value: '50%' }],
  ['slow', { parts: ['slow'], value: '200ms' }],
  ['429-storm', { parts: ['api-429', 'upstream-429'], value: '0.3' }],
  ['5xx-storm', { parts: ['api-5xx', 'upstream-5xx'], value: '0.3' }],
]);

/** Longer than any that makes sense; whatever reads one is spared the rest. */
const longestText = 500;

type Values = Map<ScenarioKey, PartValue>;

/**
 * The scenario, or everything that is wrong with the text. `none` is the scenario without parts, for a call that
 * wants nothing of what a setting asks for.
 */
export function parseScenario(text: string): {
  readonly scenario?: Scenario;
  readonly problems: readonly string[];
} {
  if (text.length > longestText) return { problems: [`it has more than ${longestText} characters`] };
  const values: Values = new Map();
  if (text.trim().toLowerCase() === 'none') return { scenario: {}, problems: [] };
  const problems = text.split(',').flatMap((part) => readPart(part, values));
  problems.push(...overfullShares(values));
  return problems.length > 0 ? { problems } : { scenario: Object.fromEntries(values), problems: [] };
}

/** Throws `invalid_input` with everything that is wrong. */
export function readScenario(text: string): Scenario {
  const { scenario, problems } = parseScenario(text);
  if (scenario === undefined) throw scenarioInvalid(problems);
  return scenario;
}

/** The canonical text: equal scenarios have equal texts, and `parseScenario` reads them back. */
export function scenarioText(scenario: Scenario): string {
  const parts = scenarioKeys.flatMap((part) => {
    const value = scenario[part];
    return value === undefined ? [] : [`${part}=${keyForms[part].write(value)}`];
  });
  return parts.length > 0 ? parts.join(',') : 'none';
}

function readPart(text: string, values: Values): readonly string[] {
  const at = text.indexOf('=');
  const said = at < 0 ? text : text.slice(0, at);
  const name = said.trim().toLowerCase().replace(/\s+/g, '-');
  if (name === '') return ['a part has no name'];
  const saying = sayings.get(name) ?? (isPart(name) ? { parts: [name] } : undefined);
  if (saying === undefined)
    return [
      `there is no "${name}"${didYouMean(name, names) || `; the parts are ${scenarioKeys.join(', ')}`}`,
    ];
  const value = at < 0 ? saying.value : text.slice(at + 1).trim();
  return saying.parts.flatMap((part) => readValue(name, { part, value, values }));
}

type Reading = {
  readonly part: ScenarioKey;
  readonly value: string | undefined;
  readonly values: Values;
};

function readValue(name: string, { part, value, values }: Reading): readonly string[] {
  if (values.has(part)) return [`"${part}" is there twice`];
  const { says, read } = keyForms[part];
  const parsed = value === undefined ? undefined : read(value);
  if (parsed === undefined) return [`"${name}" needs ${says}`];
  values.set(part, parsed);
  return [];
}

/** A call gets one answer, so what it may get instead cannot be more than all. */
function overfullShares(values: Values): readonly string[] {
  return Object.values(faultShares).flatMap((shares) => {
    const parts = shares.filter((part) => values.has(part));
    const sum = parts.reduce((total, part) => total + Number(values.get(part)), 0);
    // A share has at most four decimals; the sum of such doubles may be a little more than 1.
    return Math.round(sum * 10_000) > 10_000
      ? [`"${parts.join('" and "')}" are more than all calls together`]
      : [];
  });
}

const isPart = (name: string): name is ScenarioKey => (scenarioKeys as readonly string[]).includes(name);

const names = new Set<string>([...scenarioKeys, ...sayings.keys()]);

// Reads and writes the value of a scenario's part. A written value reads back unchanged.

type PartValue = number | RowPosition;

type Form = {
  /** Description of the expected value, for error messages. */
  readonly says: string;
  readonly read: (text: string) => PartValue | undefined;
  readonly write: (value: PartValue) => string;
};

const wait: Form = {
  says: `${durationForm}, from 1ms to 24h`,
  read: (text) => {
    const ms = Math.round(parseDuration(text) ?? 0);
    return ms >= 1 && ms <= longestWaitMs ? ms : undefined;
  },
  write: (value) => durationText(value as number),
};

const row: Form = { says: 'the number of a row, from 1', read: readRow, write: String };

const rowPosition: Form = {
  says: 'the number of a row, from 1, or a part of the rows from 0% to 99%',
  read: (text) => {
    const percent = /^(\d{1,2})%$/.exec(text)?.[1];
    if (percent !== undefined) return { percent: Number(percent) };
    const number = readRow(text);
    return number === undefined ? undefined : { row: number };
  },
  write: (value) => rowPositionText(value as RowPosition),
};

const share: Form = {
  says: 'a share of the calls such as 0.3 or 30%, up to 1',
  read: (text) => {
    const [, percent, fraction] = /^(?:(\d{1,3})%|([01](?:\.\d{1,4})?))$/.exec(text) ?? [];
    const value = percent === undefined ? Number(fraction) : Number(percent) / 100;
    return value > 0 && value <= 1 ? value : undefined;
  },
  write: String,
};

const seed: Form = {
  says: 'a whole number from 0 to 4294967295',
  read: (text) => (/^\d{1,10}$/.test(text) && Number(text) < 2 ** 32 ? Number(text) : undefined),
  write: String,
};

const keyForms: Readonly<Record<ScenarioKey, Form>> = {
  'queued-for': wait,
  'fail-row': row,
  'pause-at': rowPosition,
  'cancel-at': rowPosition,
  slow: wait,
  'api-429': share,
  'api-5xx': share,
  'upstream-429': share,
  'upstream-5xx': share,
  'upstream-no-answer': share,
  'upstream-slow': wait,
  seed,
};

function readRow(text: string): number | undefined {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}

const rowPositionText = (at: RowPosition): string => ('row' in at ? String(at.row) : `${at.percent}%`);

const units = [
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
] as const;

/** In the largest unit that holds it whole. */
function durationText(ms: number): string {
  const unit = units.find(([, unitMs]) => ms % unitMs === 0);
  return unit === undefined ? `${ms}ms` : `${ms / unit[1]}${unit[0]}`;
}
