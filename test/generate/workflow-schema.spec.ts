import { writeFile } from 'node:fs/promises';
import { it } from 'vitest';
import { workflowJsonSchema } from '../../src-main/domain/workflow/workflow-schema.ts';

it('writes docs/workflow.schema.json', async () => {
  await writeFile('docs/workflow.schema.json', `${JSON.stringify(workflowJsonSchema(), null, 2)}\n`);
});
