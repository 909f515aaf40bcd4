import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A small workflow: doubles a number, refuses a negative one. */
export const flowText = (extra = ''): string => `rowbench: 1
id: flow
${extra}nodes:
  - id: input
    type: input
    fields:
      n: { type: number, required: true }
      tags: { type: array }
    testRows: [{ n: 1 }, { n: 2 }]
  - id: check
    type: assert
    that: row.n >= 0
    message: "negative {{ row.n }}"
  - id: result
    type: output
    fields: { double: "=row.n * 2", tags: "=row.tags ?? []" }
`;

/** Writes it into the folder; gives its path. */
export async function writeFlow(folder: string, extra = ''): Promise<string> {
  const file = join(folder, 'flow.workflow.yaml');
  await writeFile(file, flowText(extra));
  return file;
}
