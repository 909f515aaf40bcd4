// An export with one line per entry of a list.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../../src-main/base/json-value.ts';
import type { ExportOptions } from '../../../../src-main/domain/rows/export/export-options.ts';
import { createRowReader } from '../../../../src-main/domain/rows/files/create-row-reader.ts';
import { exportRun, type ExportProgress } from '../../../../src-main/services/results/run-export.ts';
import { queriesOf, storeOf, type StoredRows } from '../../../builders/export-store.ts';

type Output = StoredRows['rows'][number][2];

async function exploded(outputs: readonly Output[], options: Partial<ExportOptions> = {}) {
  const rows = outputs.map((output, index) => [index + 1, { n: index + 1 }, output] as const);
  let last: ExportProgress | undefined;
  let text = '';
  for await (const piece of exportRun({
    store: storeOf({ a: { rows } }),
    queries: queriesOf([]),
    runId: 'a',
    options: { format: 'csv', explode: 'tags', ...options },
    onProgress: (progress) => (last = progress),
  }))
    text += Buffer.from(piece as Uint8Array).toString();
  return { text, last };
}

describe('an export with one line per entry', () => {
  it('repeats the other columns, numbers the lines, and keeps a row whose list is empty, null or absent', async () => {
    const outputs = [
      { id: 'a', tags: ['x', 'y'], z: 1 },
      { id: 'b', tags: [], z: 2 },
      { id: 'c', tags: null },
      { id: 'd' },
    ];
    const { text, last } = await exploded(outputs);
    expect(text).toBe('row,entry,id,tags,z\n1,1,a,x,1\n1,2,a,y,1\n2,,b,,2\n3,,c,,\n4,,d,,\n');
    expect(last).toEqual({ phase: 'ended', done: 4, total: 4, lines: 5 });
  });

  it('has a column for each field of its entries, in the place of the list', async () => {
    const outputs = [
      { id: 'a', tags: [], z: 1 },
      {
        id: 'b',
        tags: [
          { sku: 's', n: 1 },
          { n: 2, note: [1] },
        ],
        z: 2,
      },
    ];
    expect((await exploded(outputs)).text).toBe(
      'row,entry,id,tags.sku,tags.n,tags.note,z\n1,,a,,,,1\n2,1,b,s,1,,2\n2,2,b,,2,[1],2\n',
    );
  });

  it('keeps entries of unlike kinds apart: objects in columns of fields, all others in the column of the list', async () => {
    const outputs = [{ tags: [{ a: 1 }, 'x', null, [2, 3], {}] }];
    expect((await exploded(outputs)).text).toBe(
      'row,entry,tags,tags.a\n1,1,,1\n1,2,x,\n1,3,,\n1,4,"[2,3]",\n1,5,,\n',
    );
  });

  it('gives other columns than those of outputs another name', async () => {
    const outputs = [{ entry: 'e', row: 'r', 'tags.a': 0, tags: [{ a: 1 }] }];
    expect((await exploded(outputs)).text).toBe('_row,_entry,entry,row,tags.a,_tags.a\n1,1,e,r,0,1\n');
    const named = [{ input: [{ n: 5 }] }];
    expect((await exploded(named, { explode: 'input', inputColumns: true })).text).toBe(
      'row,entry,_input.n,input.n\n1,1,1,5\n',
    );
  });

  it('has chosen columns alone, and all columns of the entries for the name of the list', async () => {
    const outputs = [{ id: 'a', tags: [{ a: 1, b: 2 }] }];
    expect((await exploded(outputs, { columns: ['tags', 'id'] })).text).toBe('tags.a,tags.b,id\n1,2,a\n');
    expect((await exploded(outputs, { columns: ['entry', 'tags.b'] })).text).toBe('entry,tags.b\n1,2\n');
  });

  it('has a failed row on one line', async () => {
    const outputs = [{ tags: ['x'] }, undefined];
    expect((await exploded(outputs, { failedRows: true })).text).toBe(
      'row,entry,tags,failed.node,failed.message\n1,1,x,,\n2,,,check,bad in a\n',
    );
  });

  it('refuses a value that is not a list, before it writes anything', async () => {
    await expect(exploded([{ tags: ['x'] }, { tags: 'x, y' }])).rejects.toThrow(
      'Field "tags" of row 2 is not a list but of type text. Choose a field that has lists only, or export without one line per entry',
    );
  });

  it('refuses a field that no output has, and names those there are', async () => {
    await expect(exploded([{ id: 1, labels: [] }])).rejects.toThrow(
      'No output has a field "tags". The fields are "id", "labels"',
    );
    await expect(exploded([undefined])).rejects.toThrow('No output has a field "tags"');
  });

  it('refuses more lines than a sheet has', async () => {
    const list = Array.from({ length: 600_000 }, () => 1);
    await expect(exploded([{ tags: list }, { tags: list }], { format: 'xlsx' })).rejects.toThrow(
      'An Excel sheet holds 1,048,575 rows, and these are 1,200,000',
    );
  });

  it('is written in pieces, also where a single row has very many entries', async () => {
    const rows = [[1, {}, { tags: Array.from({ length: 20_000 }, (_, index) => `entry ${index}`) }]] as const;
    const lengths: number[] = [];
    for await (const piece of exportRun({
      store: storeOf({ a: { rows } }),
      queries: queriesOf([]),
      runId: 'a',
      options: { format: 'csv', explode: 'tags' },
    }))
      lengths.push(piece.length);
    expect(lengths.length).toBeGreaterThan(3);
    expect(Math.max(...lengths)).toBeLessThan(70_000);
  });

  it('is a list of objects as JSON, whose entries have all of their values', async () => {
    const list = fc.array(
      fc.oneof(fc.jsonValue(), fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 })),
    );
    const output = fc.record({ tags: fc.oneof(list, fc.constant(null)) }, { requiredKeys: [] });
    await fc.assert(
      fc.asyncProperty(fc.array(output, { maxLength: 8 }), async (others) => {
        const outputs = [{ tags: [{ sku: 1 }] }, ...others];
        for (const format of ['json', 'ndjson'] as const) {
          const { text, last } = await exploded(outputs, { format });
          const list = format === 'json' ? text : `[${text.trimEnd().replaceAll('\n', ',')}]`;
          const lines = JSON.parse(list) as Line[];
          const lists = outputs.map(({ tags }) => asJson(tags ?? []) as readonly JsonValue[]);
          expect(lines).toHaveLength(last?.lines ?? 0);
          expect(lists.map((_, index) => entriesOf(lines, index + 1))).toEqual(lists);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('has as many lines as there are entries and rows without any, and reads back equal', async () => {
    const value = fc.constantFrom('x', 'y z', 'a,b', 'c;d', 'e\tf', '"q"', 'two\nlines', '=1+1');
    const fields = fc.dictionary(fc.constantFrom('sku', 'n', 'note'), value, { minKeys: 1 });
    const list = fc.array(fc.oneof(value, fields), { maxLength: 5 });
    const output = fc.record({ tags: fc.oneof(list, fc.constant(null)) }, { requiredKeys: [] });
    await fc.assert(
      fc.asyncProperty(
        fc.array(output, { maxLength: 8 }),
        fc.constantFrom('comma', 'semicolon', 'tab'),
        async (others, delimiter) => {
          const outputs = [{ tags: ['x', { sku: 'y' }] }, ...others];
          const lists = outputs.map(({ tags }) => tags ?? []);
          const { text, last } = await exploded(outputs, { delimiter });
          const lines = lists.reduce((sum, { length }) => sum + Math.max(1, length), 0);
          expect(last).toMatchObject({ lines });
          expect(readBack(text)).toEqual(lists);
        },
      ),
      { numRuns: 100 },
    );
  });
});

/** JSON has no -0. */
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

type Line = Readonly<Record<string, JsonValue>>;

/** The list of a row, from its lines. An entry without fields is an empty object. */
const entriesOf = (lines: readonly Line[], number: number): readonly JsonValue[] =>
  lines
    .filter(({ row, entry }) => row === number && entry !== undefined)
    .map((line) => {
      const fields = Object.entries(line).filter(([name]) => name.startsWith('tags.'));
      if (fields.length === 0) return line['tags'] ?? (Object.hasOwn(line, 'tags') ? null : {});
      return Object.fromEntries(fields.map(([name, value]) => [name.slice(5), value]));
    });

/** The lists of an exploded file, row by row. */
function readBack(text: string): readonly (readonly unknown[])[] {
  const reader = createRowReader('csv', new Map());
  const lists: unknown[][] = [];
  for (const line of [...reader.push(text), ...reader.end()]) {
    const { row, entry, tags, ...cells } = JSON.parse(line) as Record<string, string>;
    const list = (lists[Number(row) - 1] ??= []);
    const fields = Object.entries(cells).flatMap(([name, cell]) =>
      cell === '' ? [] : [[name.slice(5), cell]],
    );
    if (entry !== '') list[Number(entry) - 1] = fields.length > 0 ? Object.fromEntries(fields) : tags;
  }
  return lists;
}
