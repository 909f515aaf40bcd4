// Every reader of a run with large outputs held whole commits, tens of megabytes each: forty slow readers took the
// server to two gigabytes.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { rowStateBytes, writeRowState } from '../../src-main/domain/run/row-state.ts';
import { silentLog } from '../../src-main/base/log.ts';
import { systemClock } from '../../src-main/base/system-clock.ts';
import { DataFolder } from '../../src-main/storage/data-folder.ts';
import { queuedRun } from '../builders/run-record.ts';
import { temporaryFolder } from '../builders/temporary-folder.ts';

it('a commit of 20 MB is handed out in small pieces of whole rows', async () => {
  const path = join(await temporaryFolder(), 'data');
  const { runs } = await DataFolder.open({ path, clock: systemClock, log: silentLog });
  const run = queuedRun({ rows: 100 });
  const intake = await runs.beginIntake(run.runId);
  await intake.write(Buffer.from('{}\n'.repeat(run.rows)));
  await intake.commit(run);
  const lines = Array.from({ length: run.rows }, (_, row) => `"${row}${'x'.repeat(200_000)}"\n`);
  const states = new Uint8Array(run.rows * rowStateBytes);
  const view = new DataView(states.buffer);
  for (let row = 0; row < run.rows; row += 1) {
    writeRowState(view, row * rowStateBytes, { state: 'done', retries: 0, durationMicros: 1 });
  }
  const outputs = await runs.openOutputs(run.runId);
  const results = { rows: run.rows, outputs: Buffer.from(lines.join('')), states };
  await outputs.commit({ ...results, trace: new Uint8Array(), nodes: [] });
  await outputs.close();

  let text = '';
  let largest = 0;
  let nextRow = 1;
  for await (const { firstRow, bytes } of runs.readOutputs(run.runId, run.rows)) {
    expect(firstRow).toBe(nextRow);
    nextRow += Buffer.from(bytes).toString('latin1').split('\n').length - 1;
    largest = Math.max(largest, bytes.length);
    text += Buffer.from(bytes).toString('latin1');
  }
  expect(text).toBe(lines.join(''));
  expect(largest).toBeLessThanOrEqual(1024 * 1024);
});
