import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { testsJsonSchema } from '../../../../src-main/domain/tests/tests-schema.ts';

it('the published schema of a tests file is what `npm run generate` writes today', async () => {
  const published: unknown = JSON.parse(await readFile('docs/tests.schema.json', 'utf8'));
  expect(published).toEqual(JSON.parse(JSON.stringify(testsJsonSchema())));
});
