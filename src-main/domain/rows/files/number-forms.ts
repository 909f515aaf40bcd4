// Written forms of numbers: decimal comma, groups of thousands, currencies, percent and brackets. Who calls: the reader of
// tables for whole columns, and the preview of a file for single cells.

/** The mark before decimals. */
export type DecimalMark = '.' | ',';

const codes = 'AUD|BRL|CAD|CHF|CNY|CZK|DKK|EUR|GBP|HUF|INR|JPY|KRW|MXN|NOK|NZD|PLN|RON|SEK|SGD|TRY|USD|ZAR';
const currency = `(?:\\p{Sc}|${codes})`;
const before = new RegExp(`^${currency}\\s*`, 'u');
const after = new RegExp(`\\s*(?:${currency}|%)$`, 'u');

/** By decimal mark: whole part, group mark, decimals. */
const bodies: Readonly<Record<DecimalMark, RegExp>> = {
  '.': /^(\d{1,3}(?:([, \u00a0\u202f'’])\d{3})(?:\2\d{3})*|\d+)?(?:\.(\d*))?$/,
  ',': /^(\d{1,3}(?:([. \u00a0\u202f'’])\d{3})(?:\2\d{3})*|\d+)?(?:,(\d*))?$/,
};

/** How a number is written. */
export type NumberForm = {
  /** `none` for a whole number; `either` for `1.234`, in which the mark may group thousands or stand before decimals. */
  readonly decimal: DecimalMark | 'none' | 'either';
  /** The mark between groups of thousands; empty if there is none, or if it is not certain. */
  readonly group: string;
  /** A currency sign, a currency code or `%`; empty if there is none. */
  readonly unit: string;
  readonly isBracketed: boolean;
};

type Written = {
  readonly isNegative: boolean;
  readonly unit: string;
  readonly isBracketed: boolean;
  /** Digits and marks. */
  readonly body: string;
};

/** The form of a number; undefined for a text that is no number. */
export function numberForm(text: string): NumberForm | undefined {
  const written = writtenNumber(text);
  if (written === undefined) return undefined;
  const { unit, isBracketed, body } = written;
  const [only, ...others] = (['.', ','] as const).filter((mark) => digitsIn(body, mark) !== undefined);
  if (only === undefined) return undefined;
  if (others.length > 0) {
    const isWhole = digitsIn(body, '.') === digitsIn(body, ',');
    return {
      decimal: isWhole ? 'none' : 'either',
      group: isWhole ? groupIn(body, '.') : '',
      unit,
      isBracketed,
    };
  }
  return { decimal: only, group: groupIn(body, only), unit, isBracketed };
}

/**
 * The number in the plain form, such as `-1234.5` for `(1.234,50 €)` with a comma before decimals. A percentage is the
 * number as written. Undefined for a text that is no number with this decimal mark.
 */
export function plainNumber(text: string, decimal: DecimalMark): string | undefined {
  const written = writtenNumber(text);
  const digits = written === undefined ? undefined : digitsIn(written.body, decimal);
  return digits === undefined ? undefined : `${written?.isNegative === true ? '-' : ''}${digits}`;
}

function writtenNumber(text: string): Written | undefined {
  if (!/\d/.test(text)) return undefined;
  const trimmed = text.trim();
  const isBracketed = trimmed.startsWith('(') && trimmed.endsWith(')');
  const [signed, firstSign] = withoutSign(isBracketed ? trimmed.slice(1, -1).trim() : trimmed);
  const unit = (before.exec(signed) ?? after.exec(signed))?.[0] ?? '';
  const bare = before.test(signed) ? signed.slice(unit.length) : signed.slice(0, signed.length - unit.length);
  const [body, secondSign] = firstSign === '' ? withoutSign(bare) : [bare, ''];
  const sign = firstSign + secondSign;
  if (isBracketed && sign !== '') return undefined;
  return { isNegative: isBracketed || sign === '-', unit: unit.trim(), isBracketed, body };
}

function withoutSign(text: string): readonly [rest: string, sign: '' | '-' | '+'] {
  const [sign = ''] = text;
  if (sign === '-' || sign === '\u2212') return [text.slice(1).trimStart(), '-'];
  return sign === '+' ? [text.slice(1).trimStart(), '+'] : [text, ''];
}

/** The digits with a point before decimals. */
function digitsIn(body: string, decimal: DecimalMark): string | undefined {
  const [, whole = '', , decimals = ''] = bodies[decimal].exec(body) ?? [];
  if (whole === '' && decimals === '') return undefined;
  return `${whole.replaceAll(/\D/g, '') || '0'}${decimals === '' ? '' : `.${decimals}`}`;
}

const groupIn = (body: string, decimal: DecimalMark): string => bodies[decimal].exec(body)?.[2] ?? '';
