// Conditions and the order of rows as texts of a command line: `output.score > 50`, `output.score:desc`.
import type { JsonValue } from '../../base/json-value.ts';
import { parseExactJson } from '../rows/exact-json.ts';
import { parseColumn, type Column } from './column.ts';
import type { Condition, RowSelection, ValueTest } from './row-selection.ts';

const form = /^(.*?)\s+(?:(is empty|is not empty)|(=|!=|>=|<=|>|<|contains)\s+(.*))\s*$/s;

/** The conditions of a text, which must all hold; undefined for a text of another form. */
export function parseCondition(text: string): readonly Condition[] | undefined {
  const [, name = '', emptiness, operator = '', value = ''] = form.exec(text.trimStart()) ?? [];
  const column = parseColumn(name);
  if (column === undefined) return undefined;
  const tests = emptiness === undefined ? testsOf(operator, value) : [emptinessTest(emptiness)];
  return tests?.map((test) => ({ of: 'column', column, test }));
}

/** The order of a text such as `output.score` or `output.score:desc`; undefined for a text of another form. */
export function parseSort(text: string): RowSelection['sort'] {
  const descending = text.endsWith(':desc');
  const name = descending || text.endsWith(':asc') ? text.slice(0, text.lastIndexOf(':')) : text;
  const column: Column | 'state' | undefined = name === 'state' ? name : parseColumn(name);
  return column && { column, descending };
}

const emptinessTest = (text: string): ValueTest => ({ is: text === 'is empty' ? 'empty' : 'notEmpty' });

function testsOf(operator: string, text: string): readonly ValueTest[] | undefined {
  if (operator === 'contains') return text === '' ? undefined : [{ is: 'contains', text: textIn(text) }];
  const value = valueIn(text);
  if (operator === '=') return [{ is: 'equals', value }];
  if (operator === '!=') return [{ is: 'notEquals', value }];
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const range: ValueTest = operator.startsWith('>')
    ? { is: 'between', min: value }
    : { is: 'between', max: value };
  return operator.endsWith('=') ? [range] : [range, { is: 'notEquals', value }];
}

/** JSON, or else the text as it is. */
function valueIn(text: string): JsonValue {
  try {
    return parseExactJson(text) as JsonValue;
  } catch {
    return text;
  }
}

/** A text in quotes, or the text as it is: also digits are looked for as a text. */
function textIn(text: string): string {
  const value = valueIn(text);
  return typeof value === 'string' ? value : text;
}
