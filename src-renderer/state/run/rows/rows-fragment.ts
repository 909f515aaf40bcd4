// The view of the Rows tab as the fragment of an address: its filters, order and groups, whose rows it shows, and which columns. A fragment never reaches the
// server, so that values of rows in filters stay out of its log.
import {
  columnText,
  testedEnds,
  parseColumn,
  type Column,
  type Condition,
  type JsonValue,
  type TestedEnd,
  type RowSelection,
  type ValueTest,
} from '#contract';

/** Maximum filters of a view, so that an address stays short. */
const maxConditions = 20;
/** Maximum characters of a searched text. */
export const maxSearchLength = 200;
const maxListedValues = 100;

/** Parses any fragment: parts that are unknown or invalid are dropped. */
export function parseRowsFragment(fragment: string | undefined): RowSelection {
  const query = new URLSearchParams(fragment ?? '');
  const conditions = query
    .getAll('where')
    .slice(0, maxConditions)
    .map((text) => conditionOf(parsed(text)))
    .filter((condition) => condition !== undefined);
  const sort = sortOf(query.get('sort') ?? '');
  const groupBy = parseColumn(query.get('group') ?? '');
  return {
    conditions,
    ...(sort === undefined ? {} : { sort }),
    ...(groupBy === undefined ? {} : { groupBy }),
  };
}

/** True if the view is of one attempt alone, and not of all rows of its chain. */
export const isOfAttempt = (fragment: string | undefined): boolean =>
  new URLSearchParams(fragment ?? '').get('rows') === 'attempt';

/**
 * Empty for all rows in their order.
 * @param isAttempt only the rows of one attempt
 */
export function rowsFragment({ conditions, sort, groupBy }: RowSelection, isAttempt: boolean): string {
  const query = new URLSearchParams(conditions.map((condition) => ['where', JSON.stringify(condition)]));
  if (sort !== undefined) {
    const column = typeof sort.column === 'string' ? sort.column : columnText(sort.column);
    query.set('sort', `${sort.descending ? '-' : ''}${column}`);
  }
  if (groupBy !== undefined) query.set('group', columnText(groupBy));
  if (isAttempt) query.set('rows', 'attempt');
  return query.toString();
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function sortOf(text: string): RowSelection['sort'] {
  const descending = text.startsWith('-');
  const name = descending ? text.slice(1) : text;
  const column = name === 'state' || name === 'took' ? name : parseColumn(name);
  return column === undefined ? undefined : { column, descending };
}

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const isText = (value: unknown, max: number): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= max;

function conditionOf(value: unknown): Condition | undefined {
  if (!isFields(value)) return undefined;
  switch (value['of']) {
    case 'column':
      return columnCondition(value);
    case 'state': {
      const states = listed(value['states']).filter((state) => isState(state));
      return states.length === 0 ? undefined : { of: 'state', states };
    }
    case 'cause':
      return causeCondition(value);
    case 'took':
      return timesOf(value);
    case 'retried':
      return { of: 'retried' };
    case 'node':
      return nodeCondition(value);
    case 'text':
      return isText(value['text'], maxSearchLength) ? { of: 'text', text: value['text'] } : undefined;
    default:
      return undefined;
  }
}

const isState = (value: unknown): value is 'done' | 'failed' | 'unfinished' =>
  value === 'done' || value === 'failed' || value === 'unfinished';

function causeCondition({ nodeId, message }: Fields): Condition | undefined {
  if (!isText(nodeId, 200)) return undefined;
  return { of: 'cause', nodeId, ...(isText(message, 20_000) ? { message } : {}) };
}

const isEnd = (value: unknown): value is TestedEnd => testedEnds.some((known) => known === value);

function nodeCondition({ nodeId, ends: listedEnds }: Fields): Condition | undefined {
  const ends = listed(listedEnds).filter((end) => isEnd(end));
  return ends.length === 0 ? undefined : { of: 'node', ...(isText(nodeId, 500) ? { nodeId } : {}), ends };
}

const isMs = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0;

function timesOf({ minMs, maxMs }: Fields): Condition | undefined {
  if (!isMs(minMs) && !isMs(maxMs)) return undefined;
  return { of: 'took', ...(isMs(minMs) ? { minMs } : {}), ...(isMs(maxMs) ? { maxMs } : {}) };
}

const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function columnCondition(value: Fields): Condition | undefined {
  const column = columnOf(value['column']);
  const test = testOf(value['test']);
  return column === undefined || test === undefined ? undefined : { of: 'column', column, test };
}

function columnOf(value: unknown): Column | undefined {
  if (!isFields(value)) return undefined;
  const { of, name } = value;
  return (of === 'input' || of === 'output') && typeof name === 'string' ? { of, name } : undefined;
}

function testOf(value: unknown): ValueTest | undefined {
  if (!isFields(value)) return undefined;
  const { is } = value;
  if (is === 'empty' || is === 'notEmpty') return { is };
  if (is === 'contains')
    return isText(value['text'], maxSearchLength) ? { is, text: value['text'] } : undefined;
  if (is === 'between') return rangeOf(value);
  // Whatever JSON can write is a value to compare with.
  if (is === 'oneOf') {
    const values = listed(value['values']).slice(0, maxListedValues) as readonly JsonValue[];
    return values.length === 0 ? undefined : { is, values };
  }
  if (is !== 'equals' && is !== 'notEquals') return undefined;
  return value['value'] === undefined ? undefined : { is, value: value['value'] as JsonValue };
}

function rangeOf(value: Fields): ValueTest | undefined {
  const [min, max] = [boundOf(value['min']), boundOf(value['max'])];
  if (min === undefined && max === undefined) return undefined;
  return {
    is: 'between',
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max }),
    ...(value['isMaxExcluded'] === true ? { isMaxExcluded: true } : {}),
  };
}

const boundOf = (value: unknown): number | string | undefined =>
  (typeof value === 'number' && Number.isFinite(value)) || isText(value, maxSearchLength) ? value : undefined;

/** Groups of columns: fields of rows and outputs, how nodes ended, or both. */
const columnGroups = ['data', 'nodes', 'both'] as const;

export type ShownGroups = {
  readonly show: (typeof columnGroups)[number];
  /** True: cells of nodes show their values instead of their times. */
  readonly hasValues: boolean;
};

export function parseShownGroups(fragment: string | undefined): ShownGroups {
  const query = new URLSearchParams(fragment ?? '');
  const show = columnGroups.find((known) => known === query.get('show')) ?? 'data';
  return { show, hasValues: query.get('cells') === 'values' };
}

/** The fragment of a view with its groups; empty for the data of all rows. */
export function withShownGroups(fragment: string, { show, hasValues }: ShownGroups): string {
  const query = new URLSearchParams(fragment);
  if (show !== 'data') query.set('show', show);
  if (hasValues) query.set('cells', 'values');
  return query.toString();
}
