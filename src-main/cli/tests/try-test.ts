import type { SavedTest } from '../../services/tests/save-test.ts';
import { loadTests } from '../../services/tests/load-tests.ts';
import { reportOf, runTests } from '../../services/tests/run-tests.ts';
import { TestBench } from '../../services/tests/test-bench.ts';
import { TestCalls, type TestCallsDeps } from '../../services/tests/test-calls.ts';
import type { FileReport } from '../../domain/tests/test-report.ts';
import type { CommandContext } from '../context.ts';
import { untilInterrupted } from '../terminal/interrupt.ts';

/** Runs the test alone, offline as ever. */
export async function tryTest(
  { workerScript, clock }: CommandContext,
  { file, name }: SavedTest,
  openCassette: TestCallsDeps['openCassette'],
): Promise<FileReport | undefined> {
  const bench = new TestBench(workerScript);
  try {
    let report: FileReport | undefined;
    await untilInterrupted(async (signal) => {
      const parts = { bench, calls: new TestCalls({ clock, openCassette }), clock, signal };
      const wants = (_: string, test: { readonly name: string }): boolean => test.name === name;
      const [done] = await runTests([await loadTests(file)], { ...parts, wants });
      report = done && reportOf(done);
    });
    return report;
  } finally {
    await bench.close();
  }
}
