import { z } from 'zod';
import { defineNodeType, cardText } from './node-type.ts';

export const codeNode = defineNodeType({
  type: 'code',
  title: 'Code',
  summary: 'Runs JavaScript, alone with the row: no network, no files, no clock of its own.',
  value: 'what the code returns, as JSON',
  example: `- id: total
  type: code
  code: |
    let sum = 0;
    for (const line of row.lines) sum += line.quantity * line.price;
    return { sum, lines: row.lines.length };`,
  intents: [
    {
      title: 'JavaScript',
      keywords: 'code script function js program',
      newKeys: { code: 'return row;\n' },
    },
  ],
  mainKeys: ['code'],
  faultSearch: () => 'text',
  samples: () => [],
  mockTemplate: {},
  firstField: 'code',
  expressionUse: null,
  isBarrier: false,
  hasEffect: false,
  card: ({ code }) => firstLine(cardText(code)),
  config: (slots) =>
    z.strictObject({
      code: slots
        .body()
        .describe(
          'The body of a JavaScript function. It sees `row` and `nodes` (with `each` also `item` and `index`).',
        ),
    }),
  action: { kind: 'code' },
});

/** The first line that is neither empty nor a comment. */
const firstLine = (code: string): string =>
  code.split('\n').find((line) => line.trim() !== '' && !line.trim().startsWith('//')) ?? '';
