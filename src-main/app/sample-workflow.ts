// The sample workflow that a first start puts into the data folder, for the user to run, read and fix. Row 3 of its
// test rows fails until its email has an "@". It needs no network.
import { sampleId } from '../domain/first-start.ts';

export const sampleFileName = `${sampleId}.workflow.yaml`;
export const sampleWorkflow = `# A sample to start from. Save a change, and the next run uses it.
rowbench: 1
id: ${sampleId}
name: Score leads
# A row that fails has no output; the others go on.
onRowError: skip

nodes:
  # Each object that a script sends is one row. "fields" says what a row should hold.
  - id: input
    type: input
    fields:
      name: { type: string, required: true }
      email: { type: string, required: true }
      employees: { type: number }
      tags: { type: array }
    testRows:
      - { name: Ada Lovelace, email: Ada@Analytical.example, employees: 120, tags: [math, engines] }
      - { name: Grace Hopper, email: grace@navy.example, employees: 12 }
      - { name: Alan Turing, email: alan(at)bletchley.example, employees: 9000, tags: [math] }
      - { name: Katherine Johnson, email: katherine@orbits.example, employees: 340 }
      - { name: Linus Torvalds, email: linus@kernel.example, employees: 8, tags: [engines] }

  # A row for which this does not hold fails, with these words.
  - id: email
    type: assert
    that: row.email.includes('@')
    message: "{{ row.email }} is not an email address: no @"

  # A value that begins with "=" is JavaScript; {{ ... }} fills an expression into text.
  - id: lead
    type: set
    after: email
    values:
      host: "=row.email.split('@')[1].toLowerCase()"
      title: "{{ row.name }} ({{ row.tags?.length ?? 0 }} tags)"

  # The first case that holds gives the node its value.
  - id: label
    type: switch
    cases:
      - { when: "=row.employees >= 100", value: hot }
      - { when: "=row.employees >= 10", value: warm }
    default: cold

  # What a script gets back for each row.
  - id: result
    type: output
    fields:
      title: "=nodes.lead.title"
      host: "=nodes.lead.host"
      label: "=nodes.label"
`;
