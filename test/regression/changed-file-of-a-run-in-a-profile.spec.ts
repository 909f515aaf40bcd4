// Whether the file of a run has changed was found by parsing the changed file in the server itself, which a slow file stops.
// The lines of its nodes, and the fields that they read, were found by parsing its snapshot there.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { JobName } from '../../src-main/executor/parser/parse-jobs.ts';
import { runParseJob } from '../../src-main/executor/parser/parse-jobs.ts';
import { FileParser } from '../../src-main/services/workflows/file-parser.ts';
import { findProfile } from '../../src-main/services/workflows/profile-service.ts';
import { openTestServices } from '../builders/open-test-services.ts';

const flow = `rowbench: 1
id: flow
vars: { rate: 1 }
nodes:
  - { id: input, type: input }
  - { id: out, type: output, fields: { got: =row.n * vars.rate } }
`;

it('the changed file of a run in a profile is parsed by the file parser', async () => {
  const jobs: JobName[] = [];
  const parser = new FileParser(async (job, ...args) => {
    jobs.push(job);
    return { ok: true, value: runParseJob(job, args), size: args[0].length };
  });
  const services = await openTestServices({ flow }, { parser });
  const { runs, workflows, runData } = services;
  await writeFile(join(services.dataDir, 'workflows', 'profiles.yaml'), 'live: { vars: { rate: 3 } }\n');
  const loaded = await workflows.find('flow');
  const run = await services.start('flow', [{ n: 1 }], {
    profile: await findProfile(loaded!, 'live', parser),
  });
  await expect.poll(async () => (await runs.get(run.runId)).run.status).toBe('completed');

  await services.write('flow', flow.replace('got:', 'other:'));
  await workflows.refresh();
  jobs.length = 0;
  expect(await runData.nodeSource(run.runId, { nodeId: 'out' })).toMatchObject({ isFileAsRun: false });
  expect(jobs).toEqual(expect.arrayContaining(['inProfile', 'nodeLines']));
  expect(await runData.fieldsRead(run.runId)).toMatchObject({ out: ['n'] });
  expect(jobs).toContain('fieldsRead');
});
