import { describe, expect, it } from 'vitest';
import { runRows, testPool } from '../../builders/execution-rig.ts';

/** A workflow whose single output field `value` is the value of node `x`. */
const withNode = (node: string, more = ''): string => `
${more}
nodes:
  - { id: input, type: input }
${node}
  - { id: out, type: output, fields: { value: "=nodes.x" } }
`;

const valueOf = async (node: string, row: object = {}): Promise<unknown> => {
  const done = await runRows(withNode(node), { pool: testPool(), rows: [row] });
  expect(done.outcome).toEqual({ kind: 'completed' });
  return (done.outputs[0] as { value: unknown }).value;
};

const errorOf = async (node: string, row: object = {}): Promise<string> => {
  const done = await runRows(withNode(node), { pool: testPool(), rows: [row] });
  return done.outcome.kind === 'failed' ? done.outcome.error : done.outcome.kind;
};

describe('node types', () => {
  it.each([
    [
      'set',
      '  - { id: x, type: set, values: { a: "=row.n + 1", b: "n is {{ row.n }}", c: [1, "=row.n"] } }',
      { a: 3, b: 'n is 2', c: [1, 2] },
    ],
    ['code', '  - { id: x, type: code, code: "const twice = row.n * 2; return { twice };" }', { twice: 4 }],
    [
      'code that awaits',
      '  - { id: x, type: code, code: "return { n: await Promise.resolve(row.n) };" }',
      { n: 2 },
    ],
    ['code without a return', '  - { id: x, type: code, code: "row.n;" }', null],
    [
      'switch',
      '  - { id: x, type: switch, cases: [{ when: "row.n > 5", value: big }, { when: "row.n > 1", value: "=[row.n]" }] }',
      [2],
    ],
    [
      'switch default',
      '  - { id: x, type: switch, cases: [{ when: "row.n > 5", value: big }], default: small }',
      'small',
    ],
    [
      'switch without a default',
      '  - { id: x, type: switch, cases: [{ when: "row.n > 5", value: big }] }',
      null,
    ],
    ['delay', '  - { id: x, type: delay, for: 5ms }', null],
    ['delay by expression', '  - { id: x, type: delay, for: "=row.n" }', null],
    ['assert', '  - { id: x, type: assert, that: "row.n === 2", message: no }', true],
    ['fail on another row', '  - { id: x, type: fail, message: no, rows: [7] }', null],
  ])('%s gives its value', async (_, node, value) => {
    expect(await valueOf(node, { n: 2 })).toEqual(value);
  });

  it.each([
    [
      'assert',
      '  - { id: x, type: assert, that: "row.n > 2", message: "{{ row.n }} is too small" }',
      '2 is too small',
    ],
    ['fail', '  - { id: x, type: fail, message: "on purpose" }', 'on purpose'],
    [
      'delay',
      '  - { id: x, type: delay, for: "=row.s" }',
      '"for" must be milliseconds (at most one day) or a duration such as 400ms, 2s, 1m or 1h; got "x"',
    ],
    [
      'code',
      '  - { id: x, type: code, code: "return row.none.x;" }',
      "TypeError: Cannot read properties of undefined (reading 'x')",
    ],
    [
      'code that rejects',
      '  - { id: x, type: code, code: "await Promise.reject(new RangeError(\'far\\\\n  off\'));" }',
      'RangeError: far off',
    ],
    [
      'code that changes the row',
      '  - { id: x, type: code, code: "row.n = 3; return row;" }',
      "TypeError: Cannot assign to read only property 'n' of object '[object Object]' (row and node values cannot be changed: change a copy, such as [...list])",
    ],
    [
      'a BigInt',
      '  - { id: x, type: code, code: "return 2n;" }',
      'a BigInt (convert it with Number or String) cannot be stored as JSON',
    ],
    [
      'a function',
      '  - { id: x, type: set, values: { a: "=() => 1" } }',
      'a function cannot be stored as JSON',
    ],
    ['a symbol', '  - { id: x, type: code, code: "return Symbol();" }', 'a symbol cannot be stored as JSON'],
    [
      'a promise in an expression',
      '  - { id: x, type: set, values: { a: "=Promise.resolve(1)" } }',
      'a promise cannot be stored as JSON: await it in a code node',
    ],
    ['a thrown text', '  - { id: x, type: code, code: "throw \'stop\';" }', 'threw stop'],
    ['a thrown object', '  - { id: x, type: code, code: "throw { code: 7 };" }', 'threw {"code":7}'],
  ])('a failing %s says why', async (_, node, message) => {
    expect(await errorOf(node, { n: 2, s: 'x' })).toBe(`Node "x" failed on row 1: ${message}`);
  });

  it('a circular value fails the row with the circle named', async () => {
    const message = await errorOf('  - { id: x, type: code, code: "const a = {}; a.a = a; return a;" }');
    expect(message).toContain('Converting circular structure to JSON');
    expect(message).not.toContain('\n');
  });
});

describe('the input node', () => {
  const workflow = `
onRowError: skip
nodes:
  - id: input
    type: input
    fields:
      email: { type: string, required: true }
      tags: { type: array }
  - { id: out, type: output, fields: { email: "=row.email" } }
`;

  it('checks the fields that the workflow names, row by row', async () => {
    const rows = [
      { email: 'a@b.c' },
      { tags: [] },
      { email: 'a', tags: 'x' },
      { email: null },
      { email: 4 },
      { email: 'ok', tags: ['x'], other: 1 },
    ];
    const done = await runRows(workflow, { pool: testPool(), rows });
    expect(done.failures.map(({ row, message }) => `${row}: ${message}`)).toEqual([
      '2: field "email" is missing (required)',
      '3: tags: "x" is not a list',
      '4: field "email" is null (required)',
      '5: email: 4 is not text',
    ]);
    expect(done.outputs).toEqual([{ email: 'a@b.c' }, null, null, null, null, { email: 'ok' }]);
    expect(done.states.map(({ state }) => state)).toEqual([
      'done',
      'failed',
      'failed',
      'failed',
      'failed',
      'done',
    ]);
  });
});

describe('values', () => {
  it.each([
    ['new Date(0)', '1970-01-01T00:00:00.000Z'],
    ['NaN', null],
    ['-0', 0],
    ['[undefined, 1, () => 1]', [null, 1, null]],
    ['({ a: undefined, b: 1 })', { b: 1 }],
    ['new Map([[1, 2]])', {}],
    ['new (class { n = 1 })()', { n: 1 }],
    ['Object.create(null)', {}],
    ['({ toJSON: () => 5 })', 5],
    ['({ get n() { return 1; } })', { n: 1 }],
    ['Array(3)', [null, null, null]],
    ['Object.assign([1], { extra: 2 })', [1]],
  ])('%s is stored as JSON has it', async (source, value) => {
    expect(await valueOf(`  - { id: x, type: code, code: "return ${source};" }`)).toEqual(value);
  });

  it('a later node sees what JSON keeps, not the object itself', async () => {
    const node = `  - { id: date, type: code, code: "return { at: new Date(0) };" }
  - { id: x, type: code, code: "return typeof nodes.date.at;" }`;
    expect(await valueOf(node)).toBe('string');
  });

  it('a template writes nothing for null, JSON for objects and text for the rest', async () => {
    const parts = ['row.none', 'null', '[1,{}]', 'true', '12n', 'new Date(0)'].map((part) => `{{ ${part} }}`);
    const node = `  - { id: x, type: set, values: { t: "${parts.join('|')}" } }`;
    expect(await valueOf(node)).toEqual({ t: '||[1,{}]|true|12|1970-01-01T00:00:00.000Z' });
  });

  it('row data is never read as a template or code', async () => {
    const text = '{{ 1 + 1 }} =1+1 ${1+1} import("fs") <!-- -->';
    expect(
      await valueOf('  - { id: x, type: set, values: { t: "{{ row.text }}", v: "=row.text" } }', { text }),
    ).toEqual({
      t: text,
      v: text,
    });
  });
});
