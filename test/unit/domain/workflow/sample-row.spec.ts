import { describe, expect, it } from 'vitest';
import { parseWorkflow } from '../../../../src-main/domain/workflow/parse-workflow.ts';
import { sampleRow } from '../../../../src-main/domain/workflow/sample-row.ts';

/** The sample row of a workflow whose input node has these lines, and whose nodes have those. */
function sampleOf(
  { input = '', nodes = '', fields = '      n: 1' },
  fileRow?: Record<string, string>,
): object {
  const text = `rowbench: 1
id: flow
nodes:
  - id: input
    type: input
${input}
${nodes}
  - id: result
    type: output
    fields:
${fields}
`;
  const { workflow, issues } = parseWorkflow(text);
  if (workflow === undefined) throw new Error(JSON.stringify(issues));
  return sampleRow(workflow, fileRow);
}

const readBy = (expression: string): object =>
  sampleOf({ fields: `      out: ${JSON.stringify(expression)}` });
const readByCode = (code: string): object =>
  sampleOf({ nodes: `  - id: made\n    type: code\n    code: ${JSON.stringify(code)}` });

describe('the sample row of a workflow', () => {
  it('is its first test row', () => {
    const input = '    fields: { n: { type: number } }\n    testRows: [{ n: 7 }, { n: 8 }]';
    expect(sampleOf({ input })).toEqual({ n: 7 });
  });

  it('is the first row of the file that its test rows are in', () => {
    const input = '    fields: { n: { type: number } }\n    testRows: rows.json';
    expect(sampleOf({ input }, { n: 'from the file' })).toEqual({ n: 'from the file' });
    expect(sampleOf({ input })).toEqual({ n: 1 });
  });

  it('has the declared fields where the test row is too long to paste', () => {
    const input = `    fields: { n: { type: number } }\n    testRows: [{ n: 7, long: ${'x'.repeat(2000)} }]`;
    expect(sampleOf({ input })).toEqual({ n: 1 });
  });

  it('has a value of its type for each declared field, and the fields that are read beside them', () => {
    const types = ['string', 'number', 'boolean', 'array', 'object', 'any'];
    const input =
      `    fields: { ${types.map((type) => `${type[0]}: { type: ${type} }`).join(', ')} }`.replace(
        'a: { type: any }',
        'y: { type: any }',
      );
    const fields = '      out: =row.other';
    expect(sampleOf({ input, fields })).toEqual({
      ...{ s: 'text', n: 1, b: true, a: [], o: {}, y: 'text', other: 'text' },
    });
  });

  it.each<readonly [string, object]>([
    ['Hello {{ row.name }}', { name: 'Ada' }],
    ['=row.name.length', { name: 'Ada' }],
    ["=row['first name']", { 'first name': 'text' }],
    ['=row?.title?.toUpperCase()', { title: 'text' }],
    ['=row.price * row.amount', { price: 1, amount: 1 }],
    ['=row.score.toFixed(2)', { score: 1 }],
    ['=Math.round(row.score)', { score: 1 }],
    ["=row.age >= 18 ? 'adult' : row.guardian", { age: 1, guardian: 'text' }],
    ["=row.zip.padStart(5, '0') + Number(row.zip)", { zip: '1' }],
    ['=row.tags.map((tag) => tag.name)', { tags: [] }],
    ['=[...row.tags].length', { tags: [] }],
    ['=row.items[0].price * 2', { items: [{ price: 1 }] }],
    ['=row.tags ?? []', { tags: [] }],
    ['=row.active === true', { active: true }],
    ['=row.address.city.trim()', { address: { city: 'text' } }],
    ['=new Date(row.created).toISOString()', { created: '2026-01-15' }],
    ["=row.email.split('@')[1]", { email: 'ada@example.com' }],
    ['=[1, 2].map((row) => row.inner)', {}],
    ['=JSON.stringify(row)', {}],
    ['={ row: 1 }.row', {}],
  ])('has the fields that %s reads', (expression, row) => {
    expect(readBy(expression)).toEqual(row);
  });

  it.each<readonly [string, object]>([
    [
      'const { name, tags = [], address: { city } } = row; return name',
      { name: 'Ada', tags: [], address: { city: 'text' } },
    ],
    ['const { price } = row; return price * 2', { price: 1 }],
    ['const lead = row; return lead.company.name', { company: { name: 'Ada' } }],
    ['for (const line of row.lines) { const row = line; row.x }', { lines: [] }],
    ['const row = { a: 1 }; return row.a', {}],
  ])('has the fields that the code %s reads', (code, row) => {
    expect(readByCode(code)).toEqual(row);
  });

  it('has what every key of a node reads, of the kind that the key needs', () => {
    const nodes = `  - id: wait
    type: delay
    for: =row.waitMs
    when: row.kind === 'slow'
  - id: lines
    type: set
    each: =row.lines
    values: { n: =item.n }
    onError: { value: =row.fallback }`;
    expect(sampleOf({ nodes })).toEqual({ waitMs: 1, kind: 'text', lines: [], fallback: 'text' });
  });

  it('stays small for a workflow that reads thousands of fields', () => {
    const many = Array.from({ length: 50 }, (_, node) =>
      [`  - id: n${node}`, '    type: set', '    values:']
        .concat(Array.from({ length: 60 }, (_each, n) => `      v${n}: =row.f${node}_${n}`))
        .join('\n'),
    );
    expect(Object.keys(sampleOf({ nodes: many.join('\n') }))).toHaveLength(200);
  });

  it('is found in a moment for an expression with a long chain', () => {
    expect(readBy(`=row.a${'.b'.repeat(900)} ?? row.last`)).toEqual({ last: 'text' });
  });
});
