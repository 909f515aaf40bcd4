/** A small valid workflow. */
export const smallWorkflow = (id: string): string => `rowbench: 1
id: ${id}
nodes:
  - { id: input, type: input }
  - { id: result, type: output, fields: { n: "=row.n" } }
`;

/** A workflow that takes a core for seconds to parse. */
export const slowWorkflow = `rowbench: 1
id: slow
nodes:
  - { id: s, type: set, values: { a: [${'=1,'.repeat(330_000)}] } }
`;
