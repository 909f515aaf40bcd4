// The app showed none of a run's outputs when the states of its rows could not be read.
import { expect, it } from 'vitest';
import { completedRun } from '../builders/completed-run.ts';
import { damageResults } from '../builders/damaged-results.ts';
import { openTestServices } from '../builders/open-test-services.ts';

const workflow = `rowbench: 1
id: grades
onRowError: skip
nodes:
  - { id: input, type: input }
  - { id: check, type: code, code: "if (row.n % 2 === 0) throw new Error('no grade'); return row.n;" }
  - { id: result, type: output, fields: { n: "=nodes.check" } }
`;

it('outputs of rows whose states are damaged are shown, with the reason, and failures by their traces', async () => {
  const services = await openTestServices({ grades: workflow });
  const rows = [{ n: 1 }, { n: 2 }, { n: 3 }];
  const runId = await completedRun(services, 'grades', rows);
  const whole = await services.runData.outputs(runId, { from: 1, count: 10 });
  expect(whole.rows.map(({ state }) => state)).toEqual(['done', 'failed', 'done']);
  expect(whole.problem).toBeUndefined();

  await damageResults(services.dataDir, runId, 'states');
  const shown = await services.runData.outputs(runId, { from: 1, count: 10 });
  expect(shown.rows).toEqual(whole.rows);
  expect(shown.problem).toContain(`rowbench.db is damaged at the states of rows 1 to 3 of run ${runId}`);

  await damageResults(services.dataDir, runId, 'traces');
  const { rows: left } = await services.runData.outputs(runId, { from: 1, count: 10 });
  expect(left.map(({ state, failure }) => ({ state, failure }))).toEqual([
    { state: 'done', failure: undefined },
    { state: undefined, failure: undefined },
    { state: 'done', failure: undefined },
  ]);
  await damageResults(services.dataDir, runId, 'outputs');
  await expect(services.runData.outputs(runId, { from: 1, count: 10 })).rejects.toMatchObject({
    code: 'data_unreadable',
  });
});
