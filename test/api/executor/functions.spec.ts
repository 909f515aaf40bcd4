// The functions that Rowbench adds for author code, as a worker runs them.
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../src-main/base/json-value.ts';
import { authorFunctions, functionNames } from '../../../src-main/domain/expressions/author-functions.ts';
import { runRows, testPool } from '../../builders/execution-rig.ts';

const examples = authorFunctions.flatMap(({ functions }) => functions);

/** The value of each expression for the row, or the message of its error. */
async function evaluated(
  expressions: readonly string[],
  row: { readonly [key: string]: JsonValue } = {},
): Promise<readonly unknown[]> {
  const code = expressions.map(
    (each) =>
      `(() => { try { return ${each} } catch (error) { return error.name + ': ' + error.message } })()`,
  );
  const nodes = [
    { id: 'input', type: 'input' },
    { id: 'all', type: 'code', code: `return [${code.join(',\n')}];` },
    { id: 'out', type: 'output', fields: { all: '=nodes.all' } },
  ];
  const workflow = `nodes: ${JSON.stringify(nodes)}`;
  const { outputs, failures } = await runRows(workflow, { pool: testPool(), rows: [row] });
  expect(failures).toEqual([]);
  return (outputs[0] as { all: unknown[] }).all;
}

it('give what the examples of their reference say', async () => {
  const values = await evaluated(examples.map(({ example }) => example));
  expect(values).toEqual(examples.map(({ result }) => result));
});

it('are frozen', async () => {
  const values = await evaluated(functionNames.map((name) => `Object.isFrozen(${name})`));
  expect(values).toEqual(functionNames.map(() => true));
});

it('say which function is wrong, and with what, in errors of the language', async () => {
  const wrong = {
    "base64.decode('a')": 'TypeError: base64.decode: this is not Base64',
    "base64.decode('/w==')": 'TypeError: base64.decode: these bytes are not UTF-8 text',
    "hex.encode('\\ud800')": 'TypeError: hex.encode: the text has half of a character',
    'base64.encode(row.none)': 'TypeError: base64.encode takes a text, and got undefined',
    "sha256('a'.repeat(4194305))":
      'RangeError: sha256 takes at most 4194304 characters, and was given 4194305',
    "date.add('tomorrow', { days: 1 })":
      'RangeError: date.add: "tomorrow" is not a date such as 2026-12-31 or 2026-12-31T18:00:00Z',
    "date.add('2026-01-01', { dais: 1 })":
      'TypeError: date.add: the unit is one of years, quarters, months, weeks, days, hours, minutes, seconds, milliseconds',
    "date.add('2026-01-01', { years: 1e9 })": 'RangeError: date.add: the date is out of range',
    "date.format('2026-01-01', 'yyyy', 'Mars/Base')":
      'RangeError: date.format: "Mars/Base" is not a time zone such as Europe/Berlin',
    "date.parse('31.13.2026', 'dd.MM.yyyy')":
      'RangeError: date.parse: "31.13.2026" is not a date in the pattern "dd.MM.yyyy"',
    "decimal.add('1', 'x')": 'TypeError: decimal.add: "x" is not a decimal number',
    'decimal.divide(1, 0, 2)': 'RangeError: decimal.divide: division by zero',
    "decimal.multiply('1e999', '1e999')":
      'RangeError: decimal.multiply: the number has more than 1000 digits',
    "groupBy('abc', 'a')": 'TypeError: groupBy takes a list, and got a string',
    'sortBy([{}], () => ({}))':
      'TypeError: sortBy: the key of an item is an object; it must be a text, number or boolean',
    'chunk([1], 0)': 'RangeError: chunk takes a whole number from 1 to 9007199254740991',
  };
  expect(await evaluated(Object.keys(wrong))).toEqual(Object.values(wrong));
});

it('encodings take text as other programs write it', async () => {
  expect(
    await evaluated([
      "base64.decode('S8Okc2U/\\n')",
      "base64.decode('S8Ok\\r\\n c2U/\\r\\n')",
      "hex.decode('c3 a9\\n')",
      "query.decode('q=caf%E9&name=Zo%C3%AB')",
      "query.decode('a=%C3%A9%E9%F0%9F%8E%88%41%zz%&b=%ED%A0%80%41+x')",
    ]),
  ).toEqual(['Käse?', 'Käse?', 'é', { q: 'caf%E9', name: 'Zoë' }, { a: 'é%E9🎈A%zz%', b: '%ED%A0%80A x' }]);
});

describe('dates', () => {
  it('take a blank before the time, as databases write it', async () => {
    expect(
      await evaluated([
        "date.format('2026-01-31 14:30:00', 'd.M.yyyy HH:mm')",
        "date.startOf('2026-01-31 14:30:00.123456+00', 'hours')",
        "date.add('2026-01-31 14:30 -05:00', { days: 1 }, 'utc')",
        "date.difference('2026-01-31 14:30:00Z', '2026-01-31T15:30:00Z', 'hours')",
      ]),
    ).toEqual(['31.1.2026 14:30', '2026-01-31T14:00:00.000Z', '2026-02-01T19:30:00.000Z', 1]);
  });

  it('follow the clock of their zone over a change to summer time', async () => {
    expect(
      await evaluated([
        "date.add('2026-03-28T12:00', { days: 1 }, 'Europe/Berlin')",
        "date.add('2026-03-28T12:00', { hours: 24 }, 'Europe/Berlin')",
        "date.difference('2026-03-28', '2026-03-30', 'hours', 'Europe/Berlin')",
        "date.difference('2026-03-28', '2026-03-30', 'days', 'Europe/Berlin')",
        "date.startOf('2026-03-29T12:00:00Z', 'day', 'America/New_York')",
        "date.add(new Date(0), { months: -1 }, '+05:30')",
      ]),
    ).toEqual([
      '2026-03-29T12:00:00.000+02:00',
      '2026-03-29T13:00:00.000+02:00',
      47,
      2,
      '2026-03-29T00:00:00.000-04:00',
      '1969-12-01T05:30:00.000+05:30',
    ]);
  });
});

describe('decimals', () => {
  // round('-0.004', 2) gave "-0.00".
  it('have no sign on zero', async () => {
    expect(
      await evaluated([
        "decimal.round('-0.004', 2)",
        "decimal.round('-0.4', 0)",
        "decimal.round('-0.5', 0, 'half-even')",
        "decimal.round('-0.9', 0, 'down')",
        "decimal.round('-0.01', 2)",
        "decimal.add('-0', '-0.00')",
        "decimal.subtract('-0', 0)",
        "decimal.multiply('-1', '0')",
        "decimal.divide('-1', '1000', 2)",
        "decimal.sum(['-0.00', -0])",
        "decimal.compare('-0', 0)",
      ]),
    ).toEqual(['0.00', '0', '0', '0', '-0.01', '0', '0', '0', '0', '0', 0]);
  });

  it('keep all digits', async () => {
    expect(
      await evaluated([
        "decimal.add('9007199254740993', 9007199254740993n)",
        "decimal.round('-2.5', 0)",
        "decimal.round('2.5', 0, 'half-even')",
        "decimal.round('-2.51', 1, 'up')",
        "decimal.round('0.1', 3)",
        "decimal.multiply('1e-50', '1e-50')",
        'decimal.sum([])',
      ]),
    ).toEqual(['18014398509481986', '-3', '2', '-2.6', '0.100', `0.${'0'.repeat(99)}1`, '0']);
  });
});

describe('lists', () => {
  it('keep keys that objects have already, missing keys and the order of equals', async () => {
    const list = [{ k: '__proto__', n: 1 }, { k: 'b', n: 2 }, { n: 3 }, { k: 7, n: 4 }, { k: 'b', n: 5 }];
    const [groups, ascending, descending, once] = await evaluated(
      [
        "groupBy(row.list, 'k')",
        "sortBy(row.list, 'k').map(({ n }) => n)",
        "sortBy(row.list, 'k', 'descending').map(({ n }) => n)",
        "unique([1, '1', { a: 1 }, '{\"a\":1}', { a: 1 }, NaN, NaN]).length",
      ],
      { list },
    );
    expect(Object.keys(groups as object)).toEqual(['7', '__proto__', 'b', 'undefined']);
    expect(ascending).toEqual([4, 1, 2, 5, 3]);
    expect(descending).toEqual([2, 5, 1, 4, 3]);
    expect(once).toBe(5);
  });
});

it('make UUIDs that follow from the seed and differ from row to row', async () => {
  const workflow = `
nodes:
  - { id: input, type: input }
  - { id: out, type: output, fields: { a: "=uuid()", b: "=uuid()" } }`;
  const rows = Array.from({ length: 500 }, () => ({}));
  const first = await runRows(workflow, { pool: testPool(), rows });
  const second = await runRows(workflow, { pool: testPool({ maxWorkers: 1 }), rows });
  expect(second.lines).toEqual(first.lines);
  const ids = first.outputs.flatMap((output) => Object.values(output as object) as string[]);
  expect(new Set(ids).size).toBe(1_000);
  expect(
    ids.filter((id) => !/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/.test(id)),
  ).toEqual([]);
});
