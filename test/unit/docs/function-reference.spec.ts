import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { formattedFunctionReference } from '../../builders/formatted-function-reference.ts';

it('the reference of functions is what `npm run generate` writes today', async () => {
  expect(await readFile('docs/guide/functions.md', 'utf8')).toBe(await formattedFunctionReference());
});
