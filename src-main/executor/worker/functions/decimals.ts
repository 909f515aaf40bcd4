// Decimal arithmetic for author code, on texts. The numbers of the library stay within: author code could change them.
import { BigNumber } from 'bignumber.js';
import { countArgument, kindOf, listArgument } from './arguments.ts';
import { rangeError, typeError } from '../bounded-builtins.ts';

const maxDigits = 1_000;
const maxFractionDigits = 100;

const Decimal = BigNumber.clone({
  EXPONENTIAL_AT: 1e9,
  RANGE: maxDigits,
  DECIMAL_PLACES: maxFractionDigits,
  ROUNDING_MODE: BigNumber.ROUND_HALF_UP,
});

const rules = {
  'half-up': BigNumber.ROUND_HALF_UP,
  'half-even': BigNumber.ROUND_HALF_EVEN,
  up: BigNumber.ROUND_UP,
  down: BigNumber.ROUND_DOWN,
} as const;

function parsed(name: string, value: unknown): BigNumber {
  const text = typeof value === 'number' || typeof value === 'bigint' ? String(value) : value;
  if (typeof text !== 'string') throw typeError(`${name} takes texts and numbers, and got ${kindOf(value)}`);
  if (text.length > maxDigits || !/^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,4})?\s*$/i.test(text))
    throw typeError(`${name}: ${JSON.stringify(text.slice(0, 50))} is not a decimal number`);
  return finite(name, new Decimal(text.trim()));
}

function finite(name: string, value: BigNumber): BigNumber {
  if (value.isFinite()) return value;
  throw rangeError(`${name}: the number has more than ${maxDigits} digits`);
}

function written(name: string, value: BigNumber): string {
  const text = withoutSignOnZero(finite(name, value).toFixed());
  if (text.length <= 2 * maxDigits) return text;
  throw rangeError(`${name}: the number has more than ${maxDigits} digits`);
}

/** `-0.00` is no amount of an invoice. */
const withoutSignOnZero = (text: string): string => (/[1-9]/.test(text) ? text : text.replace('-', ''));

const folded = (
  name: string,
  values: readonly unknown[],
  combine: (one: BigNumber, other: BigNumber) => BigNumber,
): string => {
  if (values.length < 2) throw typeError(`${name} takes two numbers or more`);
  return written(
    name,
    values.map((value) => parsed(name, value)).reduce((one, other) => finite(name, combine(one, other))),
  );
};

const fractionDigits = (name: string, digits: unknown): number =>
  countArgument(`${name}: the number of digits`, digits, { min: 0, max: maxFractionDigits });

function sum(list: unknown): string {
  const values = listArgument('decimal.sum', list);
  return written(
    'decimal.sum',
    values.reduce<BigNumber>((total, value) => total.plus(parsed('decimal.sum', value)), new Decimal(0)),
  );
}

function divide(a: unknown, b: unknown, digits: unknown): string {
  const divisor = parsed('decimal.divide', b);
  if (divisor.isZero()) throw rangeError('decimal.divide: division by zero');
  const quotient = parsed('decimal.divide', a).div(divisor);
  return written(
    'decimal.divide',
    quotient.decimalPlaces(fractionDigits('decimal.divide', digits), rules['half-up']),
  );
}

function round(a: unknown, digits: unknown, rule: unknown = 'half-up'): string {
  if (typeof rule !== 'string' || !Object.hasOwn(rules, rule))
    throw typeError(`decimal.round: the rule is one of ${Object.keys(rules).join(', ')}`);
  const rounded = parsed('decimal.round', a).toFixed(
    fractionDigits('decimal.round', digits),
    rules[rule as keyof typeof rules],
  );
  return withoutSignOnZero(rounded);
}

export const decimal = {
  add: (...values: readonly unknown[]): string =>
    folded('decimal.add', values, (one, other) => one.plus(other)),
  subtract: (a: unknown, b: unknown): string =>
    folded('decimal.subtract', [a, b], (one, other) => one.minus(other)),
  multiply: (...values: readonly unknown[]): string =>
    folded('decimal.multiply', values, (one, other) => one.times(other)),
  divide,
  round,
  compare: (a: unknown, b: unknown): number =>
    parsed('decimal.compare', a).comparedTo(parsed('decimal.compare', b)) ?? 0,
  sum,
};
