// Decides whether a row fulfils the conditions of a selection.
import { textOfJson, type JsonObject, type JsonValue } from '../../base/json-value.ts';
import { causeOf } from '../results/failure-causes.ts';
import { hasOutcome, type NodeCell } from '../results/node-cell.ts';
import type { RowFailure } from '../run/row-failure.ts';
import type { RowState } from '../run/row-state.ts';
import { mayBeWrittenOtherwise } from '../rows/find-text.ts';
import { isSameValue } from '../tests/find-differences.ts';
import { fieldOf, type Column } from './column.ts';
import type { Condition, ValueTest } from './row-selection.ts';

/** A row or an output that is too large to be looked into. */
export const largeObject = Symbol('too large');
/** Undefined: there is none. */
export type TestedObject = JsonObject | typeof largeObject | undefined;

/** A row whose parts are read when a condition needs them. One object may be many rows of a run, one after the other. */
export interface TestedRow {
  readonly state: RowState['state'] | undefined;
  readonly number: number;
  /** Undefined: the row has not ended. */
  readonly ms: number | undefined;
  /** Node attempts beyond the first. */
  readonly retries: number;
  /** Ids of the nodes of the row's run, in the order of `cells`. */
  readonly nodeIds: readonly string[];
  /** Undefined: no trace of the row is kept. */
  readonly cells: readonly NodeCell[] | undefined;
  /** Why the row failed; undefined for other rows. */
  readonly failure: Pick<RowFailure, 'nodeId' | 'message'> | undefined;
  objectOf(of: Column['of']): TestedObject;
  /** The JSON that `objectOf` reads; undefined where there is none, and where it is too large. */
  lineOf(of: Column['of']): string | undefined;
  /** Lines of this and other rows; the same text while rows are near each other. Undefined: only the row itself is known. */
  textAround(of: Column['of']): string | undefined;
}

/** Undefined: it cannot be decided, because the row is too large to be looked into, or has no trace. */
type RowTest = (row: TestedRow) => boolean | undefined;

/** True for a row that fulfils all conditions; false if it violates one, whatever is known of the others. */
export function testOf(conditions: readonly Condition[]): RowTest {
  // States are read much faster than values.
  const inOrder = ['rows', 'state', 'took', 'retried', 'cause', 'node', 'column', 'text'];
  const tests = [...conditions]
    .sort((one, other) => inOrder.indexOf(one.of) - inOrder.indexOf(other.of))
    .map(testOfCondition);
  return (row) => {
    let result: boolean | undefined = true;
    for (const test of tests) {
      const found = test(row);
      if (found === false) return false;
      result = found === undefined ? undefined : result;
    }
    return result;
  };
}

function testOfCondition(condition: Condition): RowTest {
  switch (condition.of) {
    case 'state': {
      const states: ReadonlySet<RowState['state']> = new Set(condition.states);
      // A row of a chain that no attempt has run.
      return ({ state = 'unfinished' }) => states.has(state);
    }
    case 'cause':
      return causeTest(condition);
    case 'took': {
      const { minMs = 0, maxMs = Infinity } = condition;
      return ({ ms }) => ms !== undefined && ms >= minMs && ms <= maxMs;
    }
    case 'retried':
      return ({ retries }) => retries > 0;
    case 'node':
      return nodeTest(condition);
    case 'column':
      return columnTest(condition);
    case 'text':
      return textTest(condition.text);
    case 'rows': {
      const { isExcluded = false } = condition;
      const numbers = new Set(condition.numbers);
      return ({ number }) => numbers.has(number) !== isExcluded;
    }
  }
}

function causeTest({ nodeId, message }: Extract<Condition, { of: 'cause' }>): RowTest {
  const cause = message === undefined ? undefined : causeOf(message);
  return ({ failure }) =>
    failure?.nodeId === nodeId && (cause === undefined || causeOf(failure.message) === cause);
}

function nodeTest({ nodeId, ends }: Extract<Condition, { of: 'node' }>): RowTest {
  return ({ state, nodeIds, cells }) => {
    if (state !== 'done' && state !== 'failed') return false;
    if (cells === undefined) return undefined;
    const tested = nodeId === undefined ? cells : cells.filter((_, index) => nodeIds[index] === nodeId);
    const found = tested.map((cell) => hasOutcome(cell, ends));
    return found.includes(true) || (found.includes(undefined) ? undefined : false);
  };
}

function columnTest({ column, test }: Extract<Condition, { of: 'column' }>): RowTest {
  const { of, name } = column;
  const matches = valueTest(test);
  const mayContain = test.is === 'contains' ? lineTest(test.text) : undefined;
  return (row) => {
    if (mayContain !== undefined && !mayContain(row, of)) return false;
    const object = row.objectOf(of);
    return object === largeObject ? undefined : matches(fieldOf(object, name));
  };
}

/** Any value, at the row's first level, has the text in it. */
function textTest(text: string): RowTest {
  const mayContain = lineTest(text);
  const matches = valueTest({ is: 'contains', text });
  const inObject = (row: TestedRow, of: Column['of']): boolean | undefined => {
    if (!mayContain(row, of)) return false;
    const object = row.objectOf(of);
    if (object === largeObject) return undefined;
    return object !== undefined && Object.values(object).some(matches);
  };
  return (row) => {
    const inInput = inObject(row, 'input');
    if (inInput === true) return true;
    const inOutput = inObject(row, 'output');
    return inOutput === false ? inInput : inOutput;
  };
}

type ValueMatch = (value: JsonValue | undefined) => boolean;

function valueTest(test: ValueTest): ValueMatch {
  switch (test.is) {
    case 'equals':
      return (value) => isSameValue(value, test.value);
    case 'notEquals':
      return (value) => !isSameValue(value, test.value);
    case 'oneOf':
      return (value) => test.values.some((one) => isSameValue(value, one));
    case 'contains': {
      const text = test.text.toLowerCase();
      return (value) => value !== undefined && textOfJson(value).toLowerCase().includes(text);
    }
    case 'empty':
      return isEmpty;
    case 'notEmpty':
      return (value) => !isEmpty(value);
    case 'between':
      return rangeTest(test);
  }
}

const isEmpty: ValueMatch = (value) => value === undefined || value === null || value === '';

/** Numbers are compared with numbers, texts with texts, character by character. */
function rangeTest({ min, max, isMaxExcluded = false }: Extract<ValueTest, { is: 'between' }>): ValueMatch {
  const isAbove = (value: number | string): boolean =>
    min === undefined || (typeof min === typeof value && value >= min);
  const isBelow = (value: number | string): boolean =>
    max === undefined || (typeof max === typeof value && (isMaxExcluded ? value < max : value <= max));
  return (value) =>
    (typeof value === 'number' || typeof value === 'string') && isAbove(value) && isBelow(value);
}

type LinesAround = Readonly<Record<Column['of'], { lines: string | undefined; mayContain: boolean }>>;

/**
 * A quick look into a line before it is parsed: false if no value in it has the text. Only for texts that stand in a line as
 * they are: punctuation may be escaped or separated by spaces, and numbers may be written in other ways.
 */
function lineTest(text: string): (row: TestedRow, of: Column['of']) => boolean {
  const isLiteral = /[^-+.\deE]/.test(text) && !/[[\]{},:"\\\u0000-\u001f\ud800-\udfff]/.test(text);
  if (!isLiteral) return () => true;
  const target = text.toLowerCase();
  const mayContain = (lines: string): boolean =>
    mayBeWrittenOtherwise(lines) || lines.toLowerCase().includes(target);
  // Rows of several runs take turns, and each run has its own lines around.
  const around = new WeakMap<TestedRow, LinesAround>();
  return (row, of) => {
    let known = around.get(row);
    if (known === undefined) {
      known = {
        input: { lines: undefined, mayContain: true },
        output: { lines: undefined, mayContain: true },
      };
      around.set(row, known);
    }
    const last = known[of];
    const lines = row.textAround(of);
    if (lines !== last.lines) {
      last.lines = lines;
      last.mayContain = lines === undefined || mayContain(lines);
    }
    if (!last.mayContain) return false;
    const line = row.lineOf(of);
    return line === undefined || mayContain(line);
  };
}
