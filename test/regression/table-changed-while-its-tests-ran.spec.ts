// `rowbench test --watch` learns of a table's folder by running the tests that use it. What changed there meanwhile was
// never noticed.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { TestedWorkflow } from '../../src-main/services/tests/load-tests.ts';
import { systemClock } from '../../src-main/base/system-clock.ts';
import { watchTests } from '../../src-main/cli/tests/watch-tests.ts';
import { temporaryFolder } from '../builders/temporary-folder.ts';

it('runs tests again whose table changed while they ran', async () => {
  const folder = await temporaryFolder();
  const file = join(folder, 'flow.tests.yaml');
  const table = join(folder, 'deep', 't.csv');
  await mkdir(join(folder, 'deep'));
  await writeFile(file, '');
  await writeFile(table, 'a,1');
  const ending = new AbortController();
  let runs = 0;
  const watching = watchTests({
    clock: systemClock,
    signal: ending.signal,
    find: async () => [file],
    run: async () => {
      runs += 1;
      if (runs === 1) await writeFile(table, 'a,2');
      return [{ file, text: '', tests: [], issues: [], workflow: {} as TestedWorkflow }];
    },
    behind: async () => ({ files: new Set([table]), folders: new Set() }),
  });
  await expect.poll(() => runs, { timeout: 5000 }).toBe(2);
  ending.abort();
  await watching;
  expect(runs).toBe(2);
});
