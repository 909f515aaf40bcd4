// A value as lists of differences show it: whole, or the part in which two long values begin to differ.
import type { JsonValue } from '../../base/json-value.ts';
import { typeOfValue, type ValueType } from './column.ts';
import type { ChangedField } from './compare-runs.ts';

/** `text`: the text itself, or JSON of any other value. */
export type ShownValue = { readonly type: ValueType; readonly text: string; readonly isCut?: true };

export type ShownChange = {
  readonly name: string;
  readonly before?: ShownValue;
  readonly after?: ShownValue;
};

/** Characters of a value in a list, and how many of them stand before the first difference. */
const maxShown = 400;
const maxBefore = 60;

/** @param isWhole values are not cut */
export function shownChange({ name, before, after }: ChangedField, isWhole: boolean): ShownChange {
  const [one, other] = [textOf(before), textOf(after)];
  const start = isWhole ? 0 : excerptStart(one ?? '', other ?? '');
  return {
    name,
    ...(before === undefined || one === undefined ? {} : { before: excerpt(before, one) }),
    ...(after === undefined || other === undefined ? {} : { after: excerpt(after, other) }),
  };

  function excerpt(value: JsonValue, text: string): ShownValue {
    const type = typeOfValue(value);
    if (isWhole || (start === 0 && text.length <= maxShown)) return { type, text };
    const end = boundary(text, start + maxShown);
    const shown = text.slice(start, end);
    return {
      type,
      text: `${start > 0 ? '…' : ''}${shown}${end < text.length ? '…' : ''}`,
      isCut: true,
    };
  }
}

/** The beginning of a value. */
export function shownValue(value: JsonValue): ShownValue {
  const { before } = shownChange({ name: '', before: value }, false);
  return before ?? { type: 'null', text: 'null' };
}

const textOf = <Value extends JsonValue | undefined>(value: Value): string | undefined =>
  value === undefined || typeof value === 'string' ? value : JSON.stringify(value);

/** 0 where both values are short. */
function excerptStart(before: string, after: string): number {
  if (before.length <= maxShown && after.length <= maxShown) return 0;
  let same = 0;
  while (same < before.length && before[same] === after[same]) same += 1;
  return boundary(before, Math.max(0, same - maxBefore));
}

/** The index itself, or the one before it where a character of two code units would be divided. */
const boundary = (text: string, index: number): number =>
  /[\ud800-\udbff]/.test(text.charAt(index - 1)) ? index - 1 : index;
