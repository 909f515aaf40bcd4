// The filters that values of a column's statistics stand for, and those that the user types.
import { parseExactJson, type ColumnStatistics, type JsonValue, type ValueTest } from '#contract';

export type FrequentValue = ColumnStatistics['top'][number];

/** Statistics have texts up to this length whole. */
const maxWholeText = 160;

/** The value; undefined if the statistics have its beginning only. */
export function valueOfFrequent({ type, text }: FrequentValue): { readonly value: JsonValue } | undefined {
  if (type === 'text') return text.length < maxWholeText ? { value: text } : undefined;
  try {
    return { value: JSON.parse(text) as JsonValue };
  } catch {
    return undefined;
  }
}

export function testOfFrequent(frequent: FrequentValue): ValueTest {
  const found = valueOfFrequent(frequent);
  return found === undefined
    ? { is: 'contains', text: frequent.text.slice(0, maxWholeText) }
    : { is: 'equals', value: found.value };
}

type HistogramRange = NonNullable<ColumnStatistics['numbers']>['histogram'][number];

/** Only the last range of a histogram contains its end. */
export const testOfRange = ({ from, to }: HistogramRange, isLast: boolean): ValueTest => ({
  is: 'between',
  min: from,
  max: to,
  ...(isLast ? {} : { isMaxExcluded: true }),
});

/** The values that a typed text may mean: the text itself, and the number or word that it is in JSON. */
export function typedValues(typed: string): readonly JsonValue[] {
  const isJson = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?|true|false|null)$/i.test(typed.trim());
  return isJson ? [...new Set([parseExactJson(typed.trim().toLowerCase()) as JsonValue, typed])] : [typed];
}

/**
 * A bound of a range as the user typed it: a number, or a text such as a date or an integer that no double holds; undefined
 * if the field is empty.
 */
export function typedBound(typed: string): number | string | undefined {
  const text = typed.trim();
  if (text === '') return undefined;
  const number = Number(text);
  const losesDigits = /^-?[1-9]\d{15,}$/.test(text) && String(number) !== text;
  return Number.isFinite(number) && !losesDigits ? number : text;
}
