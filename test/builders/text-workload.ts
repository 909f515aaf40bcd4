// The text workload: three nodes of string work over rows of about 460 bytes. Benchmarks and proofs share it.

const note =
  'Met at the spring fair, asked for a quote over two hundred seats and a call next week about the migration. ' +
  'Uses a spreadsheet today, wants exports every night, an audit trail and somebody to talk to when it breaks. ' +
  'Budget is there, decision in June; the second contact runs the data team.';

const tags = ['lead', 'fair', 'export', 'audit', 'june'];

/** Row number `index` (from 0), always the same. */
export const textRow = (index: number) => ({
  id: index,
  name: `Person ${index}`,
  email: `person.${index}@company-${index % 997}.example`,
  company: `Company ${index % 997}`,
  score: (index * 37) % 101,
  tags,
  note,
});

/** The body of a run of that many rows, in pieces, since a million rows do not fit into one string. */
export function textBody(rows: number): Buffer {
  const pieces: Buffer[] = [];
  for (let first = 0; first < rows; first += 1000) {
    const lines = Array.from({ length: Math.min(1000, rows - first) }, (_, at) =>
      JSON.stringify(textRow(first + at)),
    );
    pieces.push(Buffer.from(`${first === 0 ? '{"rows":[' : ','}${lines.join(',')}`));
  }
  return Buffer.concat([...pieces, Buffer.from(']}')]);
}

/** The workflow's expected output for a row, computed without Rowbench. */
export function textOutput(row: ReturnType<typeof textRow>) {
  return {
    greeting: `Hello ${row.name} from ${row.company}`,
    domain: row.email.split('@')[1],
    points: Math.round(row.score * 2),
    tags: row.tags.map((tag) => tag.toUpperCase()),
    label: row.score > 50 ? 'hot' : 'cold',
  };
}

export const textWorkflow = `rowbench: 1
id: text
nodes:
  - { id: input, type: input }
  - id: greeting
    type: set
    values: { text: "Hello {{ row.name }} from {{ row.company }}" }
  - id: facts
    type: set
    values:
      domain: "=row.email.split('@')[1]"
      points: "=Math.round(row.score * 2)"
      tags: "=row.tags.map((tag) => tag.toUpperCase())"
  - id: label
    type: set
    values: { text: "=row.score > 50 ? 'hot' : 'cold'" }
  - id: result
    type: output
    fields:
      greeting: "=nodes.greeting.text"
      domain: "=nodes.facts.domain"
      points: "=nodes.facts.points"
      tags: "=nodes.facts.tags"
      label: "=nodes.label.text"
`;
