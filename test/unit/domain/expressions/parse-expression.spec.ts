import { describe, expect, it } from 'vitest';
import { parseBody, parseExpression } from '../../../../src-main/domain/expressions/parse-expression.ts';
import { itemNames, rowNames } from '../../../../src-main/domain/expressions/scope.ts';

const nodeIds = new Set(['input', 'company', 'hot']);
const scope = { names: rowNames, nodeIds };

const problemsIn = (text: string, names: readonly string[] = rowNames) => {
  const parsed = parseExpression(text, { names, nodeIds });
  return parsed.ok ? [] : parsed.problems.map(({ offset, message }) => [offset, message]);
};

describe('an expression', () => {
  it.each([
    'row.name',
    '(row.name)',
    '((row.a), ((row.b)))',
    ' row . name ',
    '{ a: row.a, ...row.rest }',
    '[1, 2].map((n) => n * row.factor)',
    'row.tags?.length ?? 0',
    '`${row.first} ${row.last}`',
    '/^a[)]b$/i.test(row.code) // a comment',
    'row.a /* ) */',
    'function fact(n) { return n < 2 ? 1 : n * fact(n - 1); }',
    '(() => { const eggs = 1; { let ham = eggs; return ham; } })()',
    '(({ a, b: [c = 1, ...d] }, ...rest) => a + c + d.length + rest.length)(row)',
    '(function () { return arguments.length; })(1)',
    '(() => { try { return 1; } catch (error) { return error.message; } })()',
    '(() => { outer: for (const a of row.list) { if (a) continue outer; } })()',
    '(() => { for (var i = 0; i < 2; i++); return i; })()',
    '(() => { return later(); function later() { return 1; } })()',
    'new (class Box { #inside = 1; get value() { return this.#inside; } static { Box.made = true; } })().value',
    'JSON.stringify(Object.entries(new Map([[row.a, Math.max(1, NaN)]])))',
    '({ import: 1, eval: 2 }).import',
    'row.import(row.eval(1))',
    'async () => { await row.a; }',
  ])('is taken: %s', (text) => {
    expect(parseExpression(text, scope)).toMatchObject({
      ok: true,
      value: { kind: 'expression', isAsync: false },
    });
  });

  it.each([
    ['', 0, 'The expression is empty'],
    ['  ', 0, 'The expression is empty'],
    ['row.a) , (row.b', 5, 'Unexpected ")" after the expression'],
    ['row.a; row.b', 5, 'Unexpected ";" after the expression'],
    ['row.a row.b', 6, 'Unexpected "r" after the expression'],
    ['row.a // x\n }', 12, 'Unexpected "}" after the expression'],
    ['row.a +', 7, 'The code ends too early, something is missing'],
    ['row.a + ) 1', 8, 'Unexpected ")"'],
    ['"open', 0, 'Unterminated string constant'],
    ['with (row) a', 0, 'Unexpected "w"'],
    ['1 + await row.a', 4, 'Only a code node can await'],
    ['return 1', 0, 'Unexpected "r"'],
    ["row.kind = 'b'", 0, 'An expression cannot assign: "=" changes a value, "===" compares'],
    ['#!x', 1, "Unexpected character '!'"],
  ])('is refused: %j', (text, offset, message) => {
    expect(problemsIn(text)).toEqual([[offset, message]]);
  });

  it('may be a sequence or an object, so it is evaluated in parentheses', () => {
    expect(parseExpression('row.a, row.b', scope)).toMatchObject({ value: { safeSource: 'row.a, row.b' } });
  });

  it('that is nested beyond all measure is refused instead of exhausting the stack', () => {
    for (const text of [
      '('.repeat(50_000),
      `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
      `1${'+1'.repeat(50_000)}`,
    ]) {
      expect(problemsIn(text)).toEqual([[expect.any(Number), 'The code is nested too deeply']]);
    }
  });
});

describe('names in an expression', () => {
  it.each([
    ['rwo.a', 0, 'Unknown name "rwo"; did you mean "row"?'],
    ['1 + Mth.max(1)', 4, 'Unknown name "Mth"; did you mean "Math"?'],
    ['customer.name', 0, 'Unknown name "customer"; fields of the row are row.<field>'],
    ['company.name', 0, '"company" is a node: write nodes.company'],
    ['item.x', 0, '"item" exists only in a node with "each"'],
    ['({ price })', 3, 'Unknown name "price"; fields of the row are row.<field>'],
    ['(() => { const a = b; })()', 19, 'Unknown name "b"; fields of the row are row.<field>'],
    ['((a = missing) => a)()', 6, 'Unknown name "missing"; fields of the row are row.<field>'],
    [
      '(() => { { let inner = 1; } return inner; })()',
      35,
      'Unknown name "inner"; fields of the row are row.<field>',
    ],
    ['counter = 1', 0, 'Unknown name "counter"; fields of the row are row.<field>'],
    ['typeof process', 7, 'Unknown name "process"; fields of the row are row.<field>'],
    ['globalThis.x', 0, 'Unknown name "globalThis"; fields of the row are row.<field>'],
    ['eval("1")', 0, '"eval" is not available here: text never becomes code'],
    ['(0, eval)("1")', 4, '"eval" is not available here: text never becomes code'],
    ['Function("return 1")', 0, '"Function" is not available here: text never becomes code'],
    ['import("fs")', 0, 'import() is not available here: workflow code has no modules'],
    ['import.meta.url', 0, 'import.meta is not available here'],
  ])('are all known: %s', (text, offset, message) => {
    expect(problemsIn(text)).toEqual([[offset, message]]);
  });

  it('are all checked, not only the first', () => {
    expect(problemsIn('a + b')).toHaveLength(2);
  });

  it('include item and index where there is an each', () => {
    expect(problemsIn('item.price * index', itemNames)).toEqual([]);
  });
});

describe('nodes that an expression reads', () => {
  it.each([
    ['nodes.company.name', ['company']],
    ["nodes['company'].name + nodes[`hot`]", ['company', 'hot']],
    ['nodes?.company?.name', ['company']],
    ['(nodes).hot', ['hot']],
    ['nodes.hot + nodes.company + nodes.hot', ['hot', 'company']],
    [
      '(() => { const { company, hot: { label } = {} } = nodes; return company + label; })()',
      ['company', 'hot'],
    ],
    ['((nodes) => nodes.anything + nodes[row.key])(row)', []],
    ['(() => { let nodes = row; return nodes.other; })()', []],
    ['row.nodes.company', []],
    ['({ nodes: 1 }).nodes', []],
  ])('are found: %s', (text, nodeRefs) => {
    expect(parseExpression(text, scope)).toMatchObject({ ok: true, value: { nodeRefs } });
  });

  const form = 'write nodes.<id>, because the order of the nodes is found from these';
  it.each([
    ['nodes.compnay', 6, 'There is no node "compnay"; did you mean nodes.company?'],
    ['nodes.unheard', 6, 'There is no node "unheard"'],
    ['nodes[row.key]', 6, `nodes[…] cannot be worked out before the run: ${form}`],
    ['nodes[`${row.key}`]', 6, `nodes[…] cannot be worked out before the run: ${form}`],
    ['Object.keys(nodes)', 12, `"nodes" cannot be used as a whole: ${form}`],
    ['({ nodes })', 3, `"nodes" cannot be used as a whole: ${form}`],
    [
      '(() => { const { ...all } = nodes; })()',
      17,
      `This part of nodes cannot be worked out before the run: ${form}`,
    ],
    [
      '(() => { const { [row.key]: a } = nodes; })()',
      17,
      `This part of nodes cannot be worked out before the run: ${form}`,
    ],
    ['(({ company }) => company)(nodes)', 27, `"nodes" cannot be used as a whole: ${form}`],
  ])('are refused where only the run could tell: %s', (text, offset, message) => {
    expect(problemsIn(text)).toContainEqual([offset, message]);
  });
});

describe('a body', () => {
  const parse = (text: string) => parseBody(text, scope);

  it.each([
    ['return row.a;', false],
    ['const x = await row.a; return x;', true],
    ['for await (const x of row.list) return x;', true],
    ['const f = async () => await row.a; return 1;', false],
    ['const item = row.list[0]; return item;', false],
    ['if (row.a) { return 1; }\n// the end', false],
  ])('is taken: %s (awaits: %s)', (text, isAsync) => {
    expect(parse(text)).toMatchObject({ ok: true, value: { kind: 'body', isAsync } });
  });

  it.each([
    ['', 0, 'The code is empty'],
    ['return 1; }); steal((() => {', 10, 'Unexpected "}"'],
    ['const a = 1;\nconst a = 2;', 19, "Identifier 'a' has already been declared"],
    ["import fs from 'fs';", 0, 'import is not available here: workflow code has no modules'],
    ['export const a = 1;', 0, 'export is not available here: return the value instead'],
    ['export default 1;', 0, 'export is not available here: return the value instead'],
    ["export * from 'fs';", 0, 'export is not available here: return the value instead'],
    ['if (x < 1) {', 11, 'This "{" is never closed with "}"'],
  ])('is refused: %j', (text, offset, message) => {
    expect(parse(text)).toEqual({
      ok: false,
      problems: expect.arrayContaining([{ offset, message }]) as unknown,
    });
  });
});
