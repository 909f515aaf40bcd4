// Date arithmetic for author code. Dates go in and out as values of JSON and as `Date`; those of the library stay within.
import { DateTime, Settings, type DurationLikeObject } from 'luxon';
import { kindOf, textArgument } from './arguments.ts';

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
  throw new TypeError(`${name}: the unit is one of ${units.join(', ')}`);
}

function zoneArgument(name: string, value: unknown): string {
  if (value === undefined) return 'utc';
  const zone = textArgument(name, value);
  const offset = /^([+-]\d{1,2})(?::?(\d{2}))?$/.exec(zone);
  if (offset !== null) return `UTC${offset[1] ?? ''}${offset[2] === undefined ? '' : `:${offset[2]}`}`;
  if (zone.length <= 50 && DateTime.utc().setZone(zone).isValid) return zone;
  throw new RangeError(
    `${name}: ${JSON.stringify(zone.slice(0, 50))} is not a time zone such as Europe/Berlin`,
  );
}

function moment(name: string, when: unknown, zone?: unknown): DateTime {
  const options = { zone: zoneArgument(name, zone) };
  const found =
    typeof when === 'string'
      ? DateTime.fromISO(when, options)
      : DateTime.fromMillis(when instanceof Date ? when.getTime() : asNumber(name, when), options);
  if (found.isValid) return found;
  const shown = typeof when === 'string' ? JSON.stringify(when.slice(0, 50)) : 'this';
  throw new RangeError(`${name}: ${shown} is not a date such as 2026-12-31 or 2026-12-31T18:00:00Z`);
}

function asNumber(name: string, value: unknown): number {
  if (typeof value === 'number') return value;
  throw new TypeError(`${name} takes a date as text, Date or milliseconds, and got ${kindOf(value)}`);
}

function written(name: string, value: DateTime): string {
  const text = value.toISO();
  if (text !== null) return text;
  throw new RangeError(`${name}: the date is out of range`);
}

function durationArgument(value: unknown): DurationLikeObject {
  if (typeof value !== 'object' || value === null)
    throw new TypeError(`date.add takes a duration such as { days: 30 }, and got ${kindOf(value)}`);
  return Object.fromEntries(
    Object.entries(value).map(([key, amount]: [string, unknown]) => {
      if (typeof amount !== 'number' || !Number.isFinite(amount))
        throw new TypeError(
          `date.add: the number of ${key} is ${kindOf(amount)}, and must be a finite number`,
        );
      return [unitArgument('date.add', key), amount];
    }),
  );
}

function patternArgument(name: string, value: unknown): string {
  const pattern = textArgument(name, value);
  if (pattern.length <= maxPatternLength) return pattern;
  throw new RangeError(`${name}: a pattern has at most ${maxPatternLength} characters`);
}

function languageArgument(value: unknown): string {
  if (value === undefined) return 'en-US';
  const language = textArgument('date.format', value);
  if (languageForm.test(language)) return language;
  throw new RangeError("date.format: the language is one such as 'de' or 'pt-BR'");
}

export const date = {
  add: (when: unknown, duration: unknown, zone?: unknown): string =>
    written('date.add', moment('date.add', when, zone).plus(durationArgument(duration))),
  difference: (from: unknown, to: unknown, ...[unit, zone]: readonly unknown[]): number => {
    const [start, end] = [moment('date.difference', from, zone), moment('date.difference', to, zone)];
    const measure = unitArgument('date.difference', unit);
    return end.diff(start, measure).as(measure);
  },
  format: (when: unknown, pattern: unknown, ...[zone, language]: readonly unknown[]): string =>
    moment('date.format', when, zone).toFormat(patternArgument('date.format', pattern), {
      locale: languageArgument(language),
    }),
  parse: (text: unknown, pattern: unknown, zone?: unknown): string => {
    const input = textArgument('date.parse', text);
    const options = { zone: zoneArgument('date.parse', zone) };
    const found = DateTime.fromFormat(input.slice(0, 1_000), patternArgument('date.parse', pattern), options);
    if (found.isValid) return written('date.parse', found);
    throw new RangeError(
      `date.parse: ${JSON.stringify(input.slice(0, 50))} is not a date in the pattern ${JSON.stringify(pattern)}`,
    );
  },
  startOf: (when: unknown, unit: unknown, zone?: unknown): string =>
    written(
      'date.startOf',
      moment('date.startOf', when, zone).startOf(singular(unitArgument('date.startOf', unit))),
    ),
  endOf: (when: unknown, unit: unknown, zone?: unknown): string =>
    written('date.endOf', moment('date.endOf', when, zone).endOf(singular(unitArgument('date.endOf', unit)))),
};

type Singular<Plural extends string> = Plural extends `${infer One}s` ? One : never;
const singular = (unit: Unit): Singular<Unit> => unit.slice(0, -1) as Singular<Unit>;
