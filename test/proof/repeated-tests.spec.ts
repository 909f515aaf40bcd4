import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { TestBench } from '../../src-main/services/tests/test-bench.ts';
import { TestCalls, offlineCassettes } from '../../src-main/services/tests/test-calls.ts';
import { systemClock } from '../../src-main/base/system-clock.ts';
import { findFiles } from '../../src-main/cli/find-files.ts';
import { loadTests } from '../../src-main/services/tests/load-tests.ts';
import { testsFileName } from '../../src-main/domain/workflow/file-names.ts';
import { runTests } from '../../src-main/services/tests/run-tests.ts';
import { temporaryFolder } from '../builders/temporary-folder.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

it('the tests of all examples give the same report four times', { timeout: 60_000 }, async () => {
  const files = await findFiles(join(root, 'examples'), testsFileName);
  const loaded = await Promise.all(files.map((file) => loadTests(file)));
  const bench = new TestBench(join(root, 'dist/row-worker.cjs'));
  const { signal } = new AbortController();
  const reports = new Map<string, Set<string>>();
  const openCassette = offlineCassettes(await temporaryFolder(), systemClock);
  const round = async (tested: typeof loaded): Promise<void> => {
    const calls = new TestCalls({ clock: systemClock, openCassette });
    const done = await runTests(tested, { bench, calls, clock: systemClock, signal, wants: () => true });
    for (const { loaded, done: tests } of done) {
      const report = JSON.stringify(tests.map(({ result, outcome }) => ({ result, outcome })));
      reports.set(loaded.file, (reports.get(loaded.file) ?? new Set()).add(report));
    }
  };
  try {
    // All at once each test finds a new row worker; file by file, the one that it had the time before.
    for (let n = 0; n < 2; n += 1) await round(loaded);
    for (const file of loaded) for (let n = 0; n < 2; n += 1) await round([file]);
  } finally {
    await bench.close();
  }
  expect(reports.size).toBe(files.length);
  expect([...reports.values()].map(({ size }) => size)).toEqual(files.map(() => 1));
  expect([...reports.values()].map((each) => [...each].join()).join()).not.toContain(
    '"failed","differences"',
  );
});
