// The form of a column's filter: what the user has entered, and the test that it stands for.
import { isSameJson, textOfJson, type ColumnStatistics, type JsonValue, type ValueTest } from '#contract';
import { typedBound, typedValues, valueOfFrequent, type FrequentValue } from './value-tests.ts';

export const filterKinds = [
  { is: 'oneOf', label: 'is one of' },
  { is: 'notEquals', label: 'is not' },
  { is: 'contains', label: 'contains' },
  { is: 'between', label: 'is between' },
  { is: 'empty', label: 'is empty' },
  { is: 'notEmpty', label: 'is not empty' },
] as const;
export type FilterKind = (typeof filterKinds)[number]['is'];

export type FilterForm = {
  readonly kind: FilterKind;
  readonly chosen: readonly JsonValue[];
  /** A value that is not among the frequent ones, or a searched text. */
  readonly text: string;
  readonly min: string;
  readonly max: string;
  readonly isMaxExcluded: boolean;
};

const emptyForm: FilterForm = { kind: 'oneOf', chosen: [], text: '', min: '', max: '', isMaxExcluded: false };

export function formOf(test: ValueTest | undefined): FilterForm {
  switch (test?.is) {
    case undefined:
      return emptyForm;
    case 'equals':
      return { ...emptyForm, chosen: [test.value] };
    case 'oneOf':
      return { ...emptyForm, chosen: test.values };
    case 'notEquals':
      return { ...emptyForm, kind: 'notEquals', text: textOfJson(test.value) };
    case 'contains':
      return { ...emptyForm, kind: 'contains', text: test.text };
    case 'between':
      return {
        ...emptyForm,
        kind: 'between',
        min: String(test.min ?? ''),
        max: String(test.max ?? ''),
        isMaxExcluded: test.isMaxExcluded === true,
      };
    case 'empty':
    case 'notEmpty':
      return { ...emptyForm, kind: test.is };
  }
}

/** The kind of filter that a column most likely needs. */
export function likelyKind({ top, distinct, types, filled }: ColumnStatistics): FilterKind {
  const isFew = distinct <= top.length || (top[0]?.rows ?? 0) > 1;
  if ((types.number ?? 0) * 2 > filled) return distinct <= top.length ? 'oneOf' : 'between';
  return isFew ? 'oneOf' : 'contains';
}

/** The test, or why there is none. */
export function testOfForm(form: FilterForm): MadeTest {
  switch (form.kind) {
    case 'empty':
    case 'notEmpty':
      return { test: { is: form.kind } };
    case 'contains':
      return form.text === '' ? { problem: 'Enter a text.' } : { test: { is: 'contains', text: form.text } };
    case 'notEquals':
      return otherThan(form.text);
    case 'oneOf':
      return oneOf(form);
    case 'between':
      return rangeOf(form);
  }
}

type MadeTest = { readonly test: ValueTest } | { readonly problem: string };

function otherThan(text: string): MadeTest {
  const [value] = typedValues(text);
  if (text === '' || value === undefined) return { problem: 'Enter a value.' };
  return { test: { is: 'notEquals', value } };
}

function oneOf({ chosen, text }: FilterForm): MadeTest {
  const values = text === '' ? chosen : [...chosen, ...typedValues(text)];
  const [value, ...others] = values;
  if (value === undefined) return { problem: 'Choose or enter a value.' };
  return { test: others.length === 0 ? { is: 'equals', value } : { is: 'oneOf', values } };
}

function rangeOf({ min: minText, max: maxText, isMaxExcluded }: FilterForm): MadeTest {
  const [min, max] = [typedBound(minText), typedBound(maxText)];
  if (min === undefined && max === undefined) return { problem: 'Enter a lower or an upper bound.' };
  if (min !== undefined && max !== undefined && typeof min !== typeof max)
    return { problem: 'Enter two numbers or two texts.' };
  return {
    test: {
      is: 'between',
      ...(min === undefined ? {} : { min }),
      ...(max === undefined ? {} : { max }),
      ...(isMaxExcluded && max !== undefined ? { isMaxExcluded } : {}),
    },
  };
}

/** A value that the user can choose, with the number of its rows if it is known. */
type ValueChoice = {
  readonly value: JsonValue;
  readonly text: string;
  readonly rows: number | undefined;
};

/** The frequent values, and those that are chosen without being among them. */
export function valueChoices(
  top: readonly FrequentValue[],
  chosen: readonly JsonValue[],
): readonly ValueChoice[] {
  const frequent = top.flatMap((each) => {
    const found = valueOfFrequent(each);
    return found === undefined ? [] : [{ value: found.value, text: each.text, rows: each.rows }];
  });
  const others = chosen.filter((value) => !frequent.some((each) => isSameJson(each.value, value)));
  return [...others.map((value) => ({ value, text: textOfJson(value), rows: undefined })), ...frequent];
}
