// Memory against rows: the peak of the server and its workers together, for runs of growing size, each in a server of
// its own. Linux reports the peak of each process.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../builders/temporary-folder.ts';
import { textRow } from '../builders/text-workload.ts';
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
    const body = bodyOf(rows);
    // Twice: what garbage collection leaves standing is filled by the first.
    for (let turn = 0; turn < 2; turn += 1) await timeRun(server, 'text', body);
    const pids = [server.pid, ...(await descendants(server.pid))];
    expect(pids.length).toBeGreaterThan(1);
    const peaks = await Promise.all(pids.map(peakOf));
    return peaks.reduce((sum, peak) => sum + peak, 0);
  } finally {
    await server.stop();
  }
}

/** The body in pieces, since a million rows do not fit into one string. */
function bodyOf(rows: number): Buffer {
  const pieces: Buffer[] = [];
  for (let first = 0; first < rows; first += 1000) {
    const lines = Array.from({ length: Math.min(1000, rows - first) }, (_, at) =>
      JSON.stringify(textRow(first + at)),
    );
    pieces.push(Buffer.from(`${first === 0 ? '{"rows":[' : ','}${lines.join(',')}`));
  }
  return Buffer.concat([...pieces, Buffer.from(']}')]);
}

async function descendants(pid: number): Promise<number[]> {
  const listed = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  const children = listed.split(' ').filter(Boolean).map(Number);
  return [...children, ...(await Promise.all(children.map(descendants))).flat()];
}

async function peakOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024;
}
