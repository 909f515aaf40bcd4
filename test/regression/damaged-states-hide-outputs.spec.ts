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

const page = { selection: { conditions: [] }, from: 1, count: 10 };

it('rows whose states are damaged are shown with their outputs and the reason', async () => {
  const services = await openTestServices({ grades: workflow });
  const runId = await completedRun(services, 'grades', [{ n: 1 }, { n: 2 }, { n: 3 }]);
  const shown = async () => {
    const answer = await services.runData.table(runId, page);
    return answer.isReady ? answer.rows : [];
  };
  const whole = await shown();
  expect(whole.map(({ state, problem }) => [state, problem])).toEqual([
    ['done', undefined],
    ['failed', undefined],
    ['done', undefined],
  ]);

  await damageResults(services.dataDir, runId, 'states');
  const damaged = await shown();
  expect(damaged.map(({ output }) => output)).toEqual(whole.map(({ output }) => output));
  expect(damaged.map(({ state }) => state)).toEqual(['done', undefined, 'done']);
  expect(damaged[1]?.problem).toContain(`damage at the states of rows 1 to 3 of run ${runId}`);

  await damageResults(services.dataDir, runId, 'outputs');
  await expect(shown()).rejects.toMatchObject({ code: 'data_unreadable' });
});
