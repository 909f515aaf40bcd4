import { z } from 'zod';
import { rowFormatOfName } from '../rows/files/row-format.ts';
import { siblingPath } from './sibling-path.ts';
import { fieldKind } from './field-kind.ts';
import { defineNodeType, cardText } from './node-type.ts';

export const lookupNode = defineNodeType({
  type: 'lookup',
  title: 'Lookup',
  summary: 'Finds a record in a table, which is a file beside the workflow.',
  value: 'the record as an object, or null where none has that key',
  example: `- id: country
  type: lookup
  table: countries.csv
  key: code
  match: =row.country.toUpperCase()`,
  intents: [
    {
      title: 'Look up in a table',
      keywords: 'csv excel table lookup vlookup reference spreadsheet file record find',
      newKeys: { table: 'table.csv', key: 'id', match: '=row.id' },
    },
  ],
  mainKeys: ['key', 'table'],
  faultSearch: () => 'name',
  samples: ({ table }, { columnsOf }) => [Object.fromEntries(columnsOf(table).map((column) => [column, '']))],
  mockTemplate: {},
  firstField: null,
  expressionUse: null,
  isBarrier: false,
  hasEffect: false,
  card: ({ table, key }) => [cardText(table), cardText(key)].filter((part) => part !== '').join(' by '),
  config: (slots) =>
    z.strictObject({
      table: siblingPath
        .refine(
          (path) => rowFormatOfName(path) !== undefined,
          'Expected a file that ends with .csv, .tsv, .json, .ndjson or .jsonl',
        )
        .meta(fieldKind('table'))
        .describe(
          'A file of records beside the workflow or below: CSV or TSV (cells are text), a JSON list of objects, or NDJSON. 10 MB at most, and 20 MB in all tables of a run. A run uses it as it was when the run was accepted.',
        ),
      key: z.string().min(1).meta(fieldKind('column')).describe('The column, or field, that is looked at.'),
      match: slots
        .value()
        .describe(
          'What it must be. Both are compared as text, letter by letter; a number is the text that JavaScript writes for it (5, 0.5). Of several records the first is taken.',
        ),
    }),
  action: { kind: 'lookup', target: ({ table, key }) => ({ path: table, key }) },
});
