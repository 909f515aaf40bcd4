// Memory against rows: the peak of the server and its workers together, for runs of growing size, each in a server of
// its own. Linux reports the peak of each process.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { peaksMbOf, sumOf } from '../builders/process-usage.ts';
import { temporaryFolder } from '../builders/temporary-folder.ts';
import { textBody } from '../builders/text-workload.ts';
import { atMost, report } from './figures.ts';
import { startRowbench, timeRun, writeWorkflows } from './subjects.ts';

it.skipIf(process.platform !== 'linux')(
  'holds as much for 1,000,000 rows as for 10,000',
  { timeout: 600_000 },
  async () => {
    const few = await peakMb(10_000);
    const many = await peakMb(1_000_000);
    report(
      atMost(1.5, {
        what: 'peak memory of server and workers, text, 1,000,000 rows',
        ours: `${many.toFixed(0)} MB`,
        baseline: `10,000 rows ${few.toFixed(0)} MB`,
        ratio: many / few,
      }),
    );
  },
);

async function peakMb(rows: number): Promise<number> {
  const folder = await temporaryFolder();
  const workflows = await writeWorkflows(folder, 'http://127.0.0.1:9/');
  const server = await startRowbench({ dataDir: join(folder, 'data'), workflows });
  try {
    const body = textBody(rows);
    // Twice: what garbage collection leaves standing is filled by the first.
    for (let turn = 0; turn < 2; turn += 1) await timeRun(server, 'text', body);
    const peaks = await peaksMbOf(server.pid);
    expect(peaks.length).toBeGreaterThan(1);
    return sumOf(peaks);
  } finally {
    await server.stop();
  }
}
