/** A workflow file with the given nodes between an input and an output node that reads nothing. The first is in line 6. */
export const workflowText = (nodes: string, output = '{ done: "=row.id" }'): string => `rowbench: 1
id: sample
nodes:
  - id: input
    type: input
${nodes === '' ? '' : `${nodes.replace(/^\n/, '').trimEnd()}\n`}  - id: result
    type: output
    fields: ${output}
`;
