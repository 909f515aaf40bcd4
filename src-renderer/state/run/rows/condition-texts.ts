// Filters of the Rows tab in words, and the filters that a click on a value adds.
import {
  causeOf,
  columnText,
  count,
  counted,
  fineDuration,
  type Column,
  type Condition,
  type JsonValue,
  type RowSelection,
  type SortColumn,
  type ValueTest,
} from '#contract';

const maxTextLength = 40;

const stateLabels = { done: 'done', failed: 'failed', unfinished: 'not ended' } as const;

/** A filter as a sentence: `score is between 1 and 5`. */
export function conditionText(condition: Condition): string {
  switch (condition.of) {
    case 'column':
      return `${condition.column.name} ${testText(condition.test)}`;
    case 'state':
      return `status is ${condition.states.map((state) => stateLabels[state]).join(' or ')}`;
    case 'cause': {
      const { nodeId, message } = condition;
      return `failed at ${nodeId}${message === undefined ? '' : `: ${shortened(causeOf(message))}`}`;
    }
    case 'took':
      return `took ${timesText(condition)}`;
    case 'retried':
      return 'retried';
    case 'node': {
      const { nodeId, ends } = condition;
      return `${ends.join(' or ')} in ${nodeId ?? 'any node'}`;
    }
    case 'text':
      return `any value contains “${shortened(condition.text)}”`;
    case 'rows':
      return `${condition.isExcluded === true ? 'all but ' : ''}${counted(condition.numbers.length, 'row')}`;
  }
}

function testText(test: ValueTest): string {
  switch (test.is) {
    case 'equals':
      return `is ${valueText(test.value)}`;
    case 'notEquals':
      return `is not ${valueText(test.value)}`;
    case 'oneOf': {
      const shown = test.values.slice(0, 3).map((value) => valueText(value));
      const more = test.values.length - shown.length;
      return `is ${shown.join(' or ')}${more === 0 ? '' : ` or ${count(more)} more`}`;
    }
    case 'contains':
      return `contains “${shortened(test.text)}”`;
    case 'empty':
      return 'is empty';
    case 'notEmpty':
      return 'is not empty';
    case 'between':
      return rangeText(test);
  }
}

function rangeText({ min, max, isMaxExcluded }: ValueTest & { readonly is: 'between' }): string {
  if (max === undefined) return `is at least ${boundText(min)}`;
  const end = isMaxExcluded === true ? 'below' : 'at most';
  if (min === undefined) return `is ${end} ${boundText(max)}`;
  return isMaxExcluded === true
    ? `is at least ${boundText(min)} and below ${boundText(max)}`
    : `is between ${boundText(min)} and ${boundText(max)}`;
}

function timesText({ minMs, maxMs }: Extract<Condition, { of: 'took' }>): string {
  if (maxMs === undefined) return `at least ${fineDuration(minMs ?? 0)}`;
  if (minMs === undefined) return `at most ${fineDuration(maxMs)}`;
  return `${fineDuration(minMs)} to ${fineDuration(maxMs)}`;
}

const boundText = (bound: number | string | undefined): string =>
  typeof bound === 'number' ? numberText(bound) : shortened(bound ?? '');

/** A number with so many digits as a user reads: the ends of a histogram's ranges have many. */
export const numberText = (value: number): string => {
  const rounded = Number(value.toPrecision(6));
  return Number.isInteger(rounded) && Math.abs(rounded) < 1e15 ? count(rounded) : String(rounded);
};

const valueText = (value: JsonValue): string =>
  typeof value === 'string'
    ? value === ''
      ? 'an empty text'
      : shortened(value)
    : shortened(JSON.stringify(value));

const shortened = (text: string): string =>
  text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text;

/** The conditions with another one in the place of those that are about the same. */
export function withCondition(conditions: readonly Condition[], added: Condition): readonly Condition[] {
  const key = subjectOf(added);
  const at = conditions.findIndex((each) => subjectOf(each) === key);
  if (at < 0) return [...conditions, added];
  return conditions
    .map((each, index) => (index === at ? added : each))
    .filter((each, index) => index === at || subjectOf(each) !== key);
}

/** Subject of a condition: a view has one condition on each column, node, status, cause and searched text. */
function subjectOf(condition: Condition): string {
  if (condition.of === 'node') return `node ${condition.nodeId ?? ''}`;
  return condition.of === 'column' ? columnText(condition.column) : condition.of;
}

export const conditionOn = (conditions: readonly Condition[], column: Column): ValueTest | undefined =>
  conditions.flatMap((each) =>
    each.of === 'column' && columnText(each.column) === columnText(column) ? [each.test] : [],
  )[0];

/** The next order after a click on a head: ascending, descending, then the run's own order. */
export function nextSort(sort: RowSelection['sort'], column: SortColumn): RowSelection['sort'] {
  if (sort === undefined || sortKey(sort.column) !== sortKey(column)) return { column, descending: false };
  return sort.descending ? undefined : { column, descending: true };
}

export const sortKey = (column: SortColumn): string =>
  typeof column === 'string' ? column : columnText(column);
