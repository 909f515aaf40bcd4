// Reads and writes a scenario as text, for a header, a setting and an option: parts joined by commas, such as
// `queued-for=10s,fail-row=3`. Aliases in everyday words stand for parts: `paused midway`, `429 storm`.
import { didYouMean } from '../closest-name.ts';
import { scenarioInvalid } from '../run-errors.ts';
import { faultShares } from './call-fault.ts';
import { keyForms, type PartValue } from './key-values.ts';
import { scenarioKeys, type Scenario, type ScenarioKey } from './scenario.ts';

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
