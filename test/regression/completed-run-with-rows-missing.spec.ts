// A completed run whose last outputs were lost on the disk returned the remaining rows as if they were all.
import { expect, it } from 'vitest';
import { completedRun } from '../builders/completed-run.ts';
import { loseOutputs } from '../builders/damaged-results.ts';
import { openTestServices } from '../builders/open-test-services.ts';

const quick = `rowbench: 1
id: quick
nodes:
  - { id: input, type: input }
  - { id: result, type: output, fields: { n: "=row.n" } }
`;

it('missing outputs of a completed run are noticed before a row is handed out', async () => {
  const services = await openTestServices({ quick });
  const runId = await completedRun(services, 'quick', [{ n: 1 }, { n: 2 }]);
  await loseOutputs(services.dataDir, runId);
  const handedOut: unknown[] = [];
  const read = async (): Promise<void> => {
    for await (const lines of services.runs.readOutputs(runId, 2)) handedOut.push(lines);
  };
  await expect(read()).rejects.toMatchObject({ code: 'data_unreadable' });
  expect(handedOut).toEqual([]);
});
