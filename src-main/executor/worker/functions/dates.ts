// Date arithmetic for author code. Dates go in and out as values of JSON and as `Date`; those of the library stay within.
import { DateTime, Settings, type DurationLikeObject } from 'luxon';
import { kindOf, millisOfDate, textArgument } from './arguments.ts';
import { fromLibrary, rangeError, typeError } from '../bounded-builtins.ts';

// Results must not depend on the machine.
Settings.defaultZone = 'utc';
Settings.defaultLocale = 'en-US';

const units = [
  'years',
  'quarters',
  'months',
  'weeks',
  'days',
  'hours',
  'minutes',
  'seconds',
  'milliseconds',
] as const;
type Unit = (typeof units)[number];

const maxPatternLength = 200;
/** A language with a script and a country, each at most: others would fill the caches of the library. */
const languageForm = /^[a-z]{2,3}(?:-[A-Z][a-z]{3})?(?:-[A-Z]{2})?$/;

function unitArgument(name: string, value: unknown): Unit {
  const plural = typeof value === 'string' && !value.endsWith('s') ? `${value}s` : value;
  const unit = units.find((each) => each === plural);
  if (unit !== undefined) return unit;
  throw typeError(`${name}: the unit is one of ${units.join(', ')}`);
}

function zoneArgument(name: string, value: unknown): string {
  if (value === undefined) return 'utc';
  const zone = textArgument(name, value);
  const offset = /^([+-]\d{1,2})(?::?(\d{2}))?$/.exec(zone);
  if (offset !== null) return `UTC${offset[1] ?? ''}${offset[2] === undefined ? '' : `:${offset[2]}`}`;
  if (zone.length <= 50 && DateTime.utc().setZone(zone).isValid) return zone;
  throw rangeError(`${name}: ${JSON.stringify(zone.slice(0, 50))} is not a time zone such as Europe/Berlin`);
}

function moment(name: string, when: unknown, zone?: unknown): DateTime {
  const options = { zone: zoneArgument(name, zone) };
  const instant = typeof when === 'string' ? when : (millisOfDate(when) ?? asNumber(name, when));
  const found = fromLibrary(name, () =>
    typeof instant === 'string'
      ? DateTime.fromISO(withT(instant), options)
      : DateTime.fromMillis(instant, options),
  );
  if (found.isValid) return found;
  const shown = typeof when === 'string' ? JSON.stringify(when.slice(0, 50)) : 'this';
  throw rangeError(`${name}: ${shown} is not a date such as 2026-12-31 or 2026-12-31T18:00:00Z`);
}

/** A date with its time behind a blank, as databases write it, in the form of ISO 8601. */
const withT = (text: string): string =>
  text.replace(/^(\d{4}-\d\d-\d\d) (\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|[+-]\d\d(?::?\d\d)?)?$/, '$1T$2$3');

function asNumber(name: string, value: unknown): number {
  if (typeof value === 'number') return value;
  throw typeError(`${name} takes a date as text, Date or milliseconds, and got ${kindOf(value)}`);
}

/** The date that `make` returns, as ISO text. Throws a RangeError for one that the library cannot make or write. */
function written(name: string, make: () => DateTime): string {
  const text = fromLibrary(name, make).toISO();
  if (text !== null) return text;
  throw rangeError(`${name}: the date is out of range`);
}

function durationArgument(value: unknown): DurationLikeObject {
  if (typeof value !== 'object' || value === null)
    throw typeError(`date.add takes a duration such as { days: 30 }, and got ${kindOf(value)}`);
  return Object.fromEntries(
    Object.entries(value).map(([key, amount]: [string, unknown]) => {
      if (typeof amount !== 'number' || !Number.isFinite(amount))
        throw typeError(`date.add: the number of ${key} is ${kindOf(amount)}, and must be a finite number`);
      return [unitArgument('date.add', key), amount];
    }),
  );
}

function patternArgument(name: string, value: unknown): string {
  const pattern = textArgument(name, value);
  if (pattern.length <= maxPatternLength) return pattern;
  throw rangeError(`${name}: a pattern has at most ${maxPatternLength} characters`);
}

function languageArgument(value: unknown): string {
  if (value === undefined) return 'en-US';
  const language = textArgument('date.format', value);
  if (languageForm.test(language)) return language;
  throw rangeError("date.format: the language is one such as 'de' or 'pt-BR'");
}

export const date = {
  add: (when: unknown, duration: unknown, zone?: unknown): string => {
    const [start, added] = [moment('date.add', when, zone), durationArgument(duration)];
    return written('date.add', () => start.plus(added));
  },
  difference: (from: unknown, to: unknown, ...[unit, zone]: readonly unknown[]): number => {
    const [start, end] = [moment('date.difference', from, zone), moment('date.difference', to, zone)];
    const measure = unitArgument('date.difference', unit);
    return fromLibrary('date.difference', () => end.diff(start, measure).as(measure));
  },
  format: (when: unknown, pattern: unknown, ...[zone, language]: readonly unknown[]): string => {
    const found = moment('date.format', when, zone);
    const [form, locale] = [patternArgument('date.format', pattern), languageArgument(language)];
    return fromLibrary('date.format', () => found.toFormat(form, { locale }));
  },
  parse: (text: unknown, pattern: unknown, zone?: unknown): string => {
    const input = textArgument('date.parse', text);
    const options = { zone: zoneArgument('date.parse', zone) };
    const form = patternArgument('date.parse', pattern);
    const found = fromLibrary('date.parse', () => DateTime.fromFormat(input.slice(0, 1_000), form, options));
    if (found.isValid) return written('date.parse', () => found);
    throw rangeError(
      `date.parse: ${JSON.stringify(input.slice(0, 50))} is not a date in the pattern ${JSON.stringify(pattern)}`,
    );
  },
  startOf: (when: unknown, unit: unknown, zone?: unknown): string => {
    const [found, each] = [moment('date.startOf', when, zone), singular(unitArgument('date.startOf', unit))];
    return written('date.startOf', () => found.startOf(each));
  },
  endOf: (when: unknown, unit: unknown, zone?: unknown): string => {
    const [found, each] = [moment('date.endOf', when, zone), singular(unitArgument('date.endOf', unit))];
    return written('date.endOf', () => found.endOf(each));
  },
};

type Singular<Plural extends string> = Plural extends `${infer One}s` ? One : never;
const singular = (unit: Unit): Singular<Unit> => unit.slice(0, -1) as Singular<Unit>;
