import { writeFile } from 'node:fs/promises';
import { it } from 'vitest';
import { formattedFunctionReference } from '../builders/formatted-function-reference.ts';
import { formattedNodeReference } from '../builders/formatted-node-reference.ts';
import { testsJsonSchema } from '../../src-main/domain/tests/tests-schema.ts';
import { workflowJsonSchema } from '../../src-main/domain/workflow/workflow-schema.ts';

const published = [
  ['docs/workflow.schema.json', workflowJsonSchema],
  ['docs/tests.schema.json', testsJsonSchema],
] as const;

it.each(published)('writes %s', async (file, schema) => {
  await writeFile(file, `${JSON.stringify(schema(), null, 2)}\n`);
});

it('writes docs/guide/nodes.md', async () => {
  await writeFile('docs/guide/nodes.md', await formattedNodeReference());
});

it('writes docs/guide/functions.md', async () => {
  await writeFile('docs/guide/functions.md', await formattedFunctionReference());
});
