// A problem in a folder of workflows was reported only once, even when it was fixed and came back.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openTestServices } from '../builders/open-test-services.ts';
import { recordedLog } from '../builders/recorded-log.ts';

const quick = `rowbench: 1
id: quick
nodes:
  - { id: input, type: input }
  - { id: result, type: output, fields: { n: "=row.n" } }
`;

it('a problem that was fixed and comes back is reported again', async () => {
  const { log, lines } = recordedLog();
  const services = await openTestServices({ quick, copy: quick }, { log, executes: false });
  const reports = (): number => lines.filter((line) => line.includes('two files have the id "quick"')).length;
  await services.workflows.refresh();
  expect(reports()).toBe(1);
  await rm(join(services.dataDir, 'workflows', 'copy.workflow.yaml'));
  await services.workflows.refresh();
  await services.write('copy', quick);
  await services.workflows.refresh();
  expect(reports()).toBe(2);
});
