import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { TestBench } from '../../../src-main/app/test-bench.ts';
import { TestCalls } from '../../../src-main/app/test-calls.ts';
import { systemClock } from '../../../src-main/base/system-clock.ts';
import { findFiles } from '../../../src-main/cli/find-files.ts';
import { loadTests } from '../../../src-main/app/tests/load-tests.ts';
import { testsFileName } from '../../../src-main/domain/workflow/file-names.ts';
import { runTests } from '../../../src-main/app/tests/run-tests.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

it('the tests of all examples give the same report twenty times', { timeout: 60_000 }, async () => {
  const files = await findFiles(join(root, 'examples'), testsFileName);
  const loaded = await Promise.all(files.map(loadTests));
  const bench = new TestBench(join(root, 'dist/row-worker.js'));
  const { signal } = new AbortController();
  const reports = new Set<string>();
  try {
    for (let round = 0; round < 20; round += 1) {
      const calls = new TestCalls({ clock: systemClock });
      const done = await runTests(loaded, { bench, calls, clock: systemClock, signal, wants: () => true });
      reports.add(
        JSON.stringify(done.map((file) => file.done.map(({ result, outcome }) => ({ result, outcome })))),
      );
    }
  } finally {
    await bench.close();
  }
  expect(reports.size).toBe(1);
  expect([...reports][0]).not.toContain('"failed","differences"');
});
