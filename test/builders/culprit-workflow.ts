/** Rows whose second one runs the code of the workflow below. */
export const culpritRows = [{ n: 1 }, { n: 2 }, { n: 3 }];

/** A workflow whose node `culprit` runs the code in row 2, and passes the other rows on. @param more keys of that node */
export const culpritWorkflow = (code: string, more = ''): string => `
onRowError: skip
nodes:
  - { id: input, type: input }
  - { id: before, type: set, values: { n: "=row.n" } }
  - id: culprit
    type: code
    ${more}
    code: |
      if (row.n !== 2) return row.n;
      ${code}
  - { id: out, type: output, fields: { n: "=nodes.culprit" } }
`;
