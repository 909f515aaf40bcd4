// Rowbench reads its own exports: the same rows again, whatever is in them, without a remark.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src-main/base/json-value.ts';
import { createOutputWriter, outputFormats } from '../../../../src-main/domain/rows/export/output-writer.ts';
import { RowsOfBytes } from '../../../../src-main/domain/rows/files/rows-of-bytes.ts';

async function readAgain(fileName: string, text: string) {
  const reader = new RowsOfBytes({ fileName, types: new Map() });
  const rows = [...(await reader.push(Buffer.from(text))), ...(await reader.end())];
  return { rows: rows.map((row): unknown => JSON.parse(row)), remarks: reader.report().remarks };
}

const hostile = fc.oneof(
  fc.string({
    unit: fc.constantFrom(
      'a',
      '1',
      ' ',
      '"',
      "'",
      '\\',
      ',',
      ';',
      '\t',
      '|',
      '\n',
      '\r',
      '=',
      '+',
      '-',
      '@',
      'ß',
      '🎈',
    ),
  }),
  fc.constantFrom('=1+1', "'=1", 'sep=;', '1.234,50', 'k.A.', '31.12.2025', '2016', '', 'null', '{"a":1}'),
  fc.stringMatching(/^\d{1,6}$/),
);
const columns = fc.uniqueArray(
  fc.oneof(
    fc.stringMatching(/^[a-z][a-z ]{0,6}[a-z]$/),
    fc.constantFrom('2016', '2015', 'a,b', 'x "y"', 'ä;ö'),
  ),
  { minLength: 1, maxLength: 5 },
);

describe.each(outputFormats)('an export as %s', (format) => {
  it('is read as the same rows', async () => {
    const table = columns.chain((names) =>
      fc.tuple(
        fc.constant(names),
        fc.array(fc.tuple(...names.map(() => hostile)), { minLength: 1, maxLength: 6 }),
      ),
    );
    await fc.assert(
      fc.asyncProperty(table, async ([names, cells]) => {
        const rows: JsonObject[] = cells.map((row) =>
          Object.fromEntries(names.map((name, index) => [name, row[index] ?? ''])),
        );
        const writer = createOutputWriter(format, names);
        const text = writer.push(rows.map((row) => JSON.stringify(row))) + writer.end();
        const read = await readAgain(`out.${format}`, text);
        expect(read.rows).toEqual(rows);
        expect(read.remarks).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});
