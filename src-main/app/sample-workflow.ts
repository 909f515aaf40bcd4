// What a first start leaves in the data folder, so that there is something to run and to read.

export const sampleId = 'score-leads';
export const sampleFileName = `${sampleId}.workflow.yaml`;
export const sampleWorkflow = `# A sample to start from. Save a change, and the next run uses it.
rowbench: 1
id: ${sampleId}
name: Score leads

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

  # A value that begins with "=" is JavaScript; {{ ... }} fills an expression into text.
  - id: lead
    type: set
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
