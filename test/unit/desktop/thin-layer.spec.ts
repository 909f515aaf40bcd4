// The shell does only what a page cannot do. Decisions that need no window are made elsewhere.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const folder = join(import.meta.dirname, '../../../src-main/desktop');

it('the shell has at most 1,200 lines', async () => {
  const texts = await Promise.all(
    (await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')),
  );
  const lines = texts.reduce((sum, text) => sum + text.split('\n').length - 1, 0);
  expect(lines).toBeGreaterThan(500);
  expect(lines).toBeLessThanOrEqual(1200);
});
