import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  editableText,
  maxEditableLength,
  textOffset,
  readJsonText,
  textOfRows,
} from '../../../../src-renderer/state/entry/json-text.ts';
import { setCell } from '../../../../src-renderer/state/entry/grid/row-edits.ts';
import { SheetModel } from '../../../../src-renderer/state/entry/grid/sheet-model.ts';
import { readRowStream, rowsBody } from '../../../../src-renderer/state/entry/rows-text.ts';
import { startPath } from '../../../../src-renderer/state/entry/entry-actions.ts';
import { runNumbers } from '../../../../src-renderer/state/entry/grid/sheet-model.ts';

type Rows = Parameters<typeof textOfRows>[0];
const anyRows = fc.array(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })), {
  maxLength: 8,
}) as fc.Arbitrary<Rows>;
/** JSON has one zero. */
const plain = (rows: Rows): unknown => JSON.parse(JSON.stringify(rows));

describe('rows as a text', () => {
  it('come back as they were', () => {
    fc.assert(
      fc.property(anyRows, (rows) => {
        expect(readJsonText(textOfRows(rows))).toEqual({ rows: plain(rows) });
      }),
    );
  });

  it.each([
    ['', []],
    ['  \n', []],
    ['[{"a":1}]', [{ a: 1 }]],
    ['{"rows":[{"a":1}],"nodes":{}}', [{ a: 1 }]],
    ['{"a":1}\n{"a":2}\n', [{ a: 1 }, { a: 2 }]],
    ['{"a":1}', [{ a: 1 }]],
  ])('may be written as %j', (text, rows) => {
    expect(readJsonText(text)).toEqual({ rows });
  });

  it.each([
    ['[{"a":1},\n  {"a":x}]', 2, 8],
    ['{"a":1}\n\n{"a"}', 3, 5],
    ['[1]', 1, 2],
    ['name,age', 1, 1],
    ['[{"a":1}', 1, 9],
    ['[{"a":1e400}]', 1, 2],
  ])('that cannot be read say where: %j', (text, line, column) => {
    const { problem } = readJsonText(text);
    expect(problem).toMatchObject({ line, column });
  });

  it('lead from a line and column to the letter there', () => {
    const text = '[{"a":1},\n  {"a":x}]';
    expect(text.charAt(textOffset(text, { line: 2, column: 8, text: '' }))).toBe('x');
    expect(textOffset(text, { line: 9, column: 9, text: '' })).toBeLessThanOrEqual(text.length);
  });

  it('are edited only as long as an editor can take them', () => {
    const long = { a: 'x'.repeat(maxEditableLength) };
    expect(editableText([{ a: 1 }])).toBe('[\n  {"a":1}\n]');
    expect(editableText([long])).toBeUndefined();
  });
});

describe('rows on their way', () => {
  it('are a body that begins with their numbers', async () => {
    expect(await (await rowsBody([{ a: 1 }, { a: 'ü' }])).text()).toBe('{"rows":[{"a":1},{"a":"ü"}]}');
    expect(await (await rowsBody([{}], [7])).text()).toBe('{"numbers":[7],"rows":[{}]}');
    expect(await (await rowsBody([])).text()).toBe('{"rows":[]}');
  });

  it('keep the order of the columns, also of those named by years', async () => {
    const fields = ['name', '2016', '2015'].map((name) => ({ name, type: 'any' as const, required: false }));
    const sheet = new SheetModel(fields);
    for (const [column, value] of ['Ada', 1, 2].entries())
      sheet.apply(setCell(sheet, { row: 0, column }, value));
    const body = await rowsBody(sheet.eachRow());
    expect(await body.text()).toBe('{"rows":[{"name":"Ada","2016":1,"2015":2}]}');
  });

  it('are one JSON text, of however many pieces', async () => {
    const rows = Array.from({ length: 4 }, (_, n) => ({ n, text: 'x'.repeat(600_000) }));
    expect(JSON.parse(await (await rowsBody(rows)).text())).toEqual({ rows });
  });

  it.each([
    [
      [1, 2, 9],
      [1, 2, 9],
    ],
    [[], []],
    [[2, 1], undefined],
    [[1, 1], undefined],
    [[1, undefined, 3], undefined],
  ])('that go by %j keep %j', (origins, numbers) => {
    expect(runNumbers(origins.map((origin) => ({ origin })))).toEqual(numbers);
  });

  it('come in lines that are cut anywhere', async () => {
    const bytes = new TextEncoder().encode('[3,{"a":"ü"}]\n[12,{"b":{"c":[1]}}]\n');
    for (let size = 1; size < bytes.length; size += 1) {
      const stream = new ReadableStream<Uint8Array>({
        start: (controller) => {
          for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.subarray(at, at + size));
          controller.close();
        },
      });
      expect(await readRowStream(stream, 10)).toEqual({
        rows: [{ a: 'ü' }, { b: { c: [1] } }],
        numbers: [3, 12],
      });
    }
  });

  it('that are more than a page holds are refused', async () => {
    const stream = new Blob(['[1,{}]\n[2,{}]\n[3,{}]\n']).stream();
    await expect(readRowStream(stream, 2)).rejects.toThrow('more than 2 rows');
  });

  it('go to a path with the options of the run', () => {
    expect(startPath('a', {})).toBe('/workflows/a/runs');
    const path = startPath('a', {
      mode: 'mocks',
      mocks: { company: 'known & gone' },
      scenario: ' fail-row=3 ',
      rerunOf: '0193',
    });
    expect(Object.fromEntries(new URL(path, 'http://x').searchParams)).toEqual({
      mode: 'mocks',
      mocks: '{"company":"known & gone"}',
      scenario: 'fail-row=3',
      rerunOf: '0193',
    });
    expect(startPath('a', { mocks: {}, scenario: ' ' })).toBe('/workflows/a/runs');
  });
});
