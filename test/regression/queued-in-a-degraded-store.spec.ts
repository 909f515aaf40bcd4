// A run whose turn came after the disk had failed was reported as running, although no row of it ran or could be
// recorded.
import { expect, it } from 'vitest';
import { FakeClock } from '../builders/fake-clock.ts';
import { openTestServices } from '../builders/open-test-services.ts';

const quick = `rowbench: 1
id: quick
nodes:
  - { id: input, type: input }
  - { id: result, type: output, fields: { n: "=row.n" } }
`;

it('a queued run stays queued after its delay while the store is degraded', async () => {
  const clock = new FakeClock();
  const services = await openTestServices({ quick }, { clock });
  const { runId } = await services.start('quick', [{ n: 1 }], { scenario: { 'queued-for': 1000 } });
  const statuses: string[] = [];
  services.runs.events.listen(({ run }) => statuses.push(run.status));
  services.folder.health.degrade(new Error('the disk is gone'));
  clock.advance(5000);
  await new Promise((resolve) => setImmediate(resolve));
  expect((await services.runs.get(runId)).run.status).toBe('queued');
  expect(statuses).toEqual([]);
});
