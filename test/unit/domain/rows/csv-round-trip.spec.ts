// What Rowbench exports as CSV reads back equal, although its reader decides much from the file itself.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createTableWriter } from '../../../../src-main/domain/rows/export/table-writer.ts';
import { createRowReader } from '../../../../src-main/domain/rows/files/create-row-reader.ts';

/** Texts that the rules of the reader are about. */
const text = fc.constantFrom(
  ...[
    'a',
    'b',
    'Notes',
    '1',
    '2',
    '7.50',
    '2026',
    '10:30',
    '31.12.2025',
    '5 %',
    '-',
    'n/a',
    'column 2',
    '__proto__',
  ],
  ...[
    "'x'",
    "it's",
    "'",
    'sep=',
    'sep=;',
    'a b',
    'a;b',
    'a,b',
    'a|b',
    'a\tb',
    'c:d',
    'e#f',
    'g*h',
    ' x',
    'y ',
    'z\\',
  ],
  ...['"', '"q"', 'x"y', '\\"', '=1+1', "'=1", 'two\nlines', 'l\r\nf', '1,a\n2,b', '\ufeff', '\0', 'é'],
);
const cell = fc.oneof(text, fc.constant(''));

const table = fc.uniqueArray(text, { minLength: 1, maxLength: 4 }).chain((names) =>
  fc.tuple(
    fc.constant(names),
    fc.array(fc.oneof(fc.tuple(...names.map(() => cell)), fc.constant(names)), {
      minLength: 1,
      maxLength: 6,
    }),
  ),
);

it('an export reads back equal, whatever its names and texts are', () => {
  fc.assert(
    fc.property(
      table,
      fc.constantFrom('comma', 'semicolon', 'tab'),
      fc.integer({ min: 1, max: 40 }),
      ([names, rows], delimiter, size) => {
        const writer = createTableWriter(names, { format: 'csv', delimiter });
        const file = writer.start() + rows.map((row) => writer.row(row)).join('') + writer.end();
        const reader = createRowReader('csv', new Map());
        const lines: string[] = [];
        for (let at = 0; at < file.length; at += size) lines.push(...reader.push(file.slice(at, at + size)));
        lines.push(...reader.end());
        const objects = lines.map((line) => JSON.parse(line) as Record<string, string>);
        expect(reader.report().columns).toEqual(names);
        expect(objects.map((row) => names.map((name) => row[name]))).toEqual(rows);
      },
    ),
    { numRuns: 1000 },
  );
});
