// Profiles of runs: values in the record, over a restart, in reruns, in called workflows, and by the setting.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openTestServices, type TestServices } from '../../builders/open-test-services.ts';
import { parserInProcess } from '../../../src-main/services/workflows/file-parser.ts';
import { findProfile, inEachProfile } from '../../../src-main/services/workflows/profile-service.ts';

const flow = `rowbench: 1
id: flow
vars: { rate: 1, tenant: null }
nodes:
  - { id: input, type: input }
  - { id: below, type: workflow, workflow: below, row: =row }
  - { id: out, type: output, fields: { got: =row.n * vars.rate, tenant: =vars.tenant, below: =nodes.below.got } }
`;
const below = `rowbench: 1
id: below
vars: { rate: 5, own: here }
nodes:
  - { id: input, type: input }
  - { id: out, type: output, fields: { got: '{{ vars.rate }} {{ vars.own }}' } }
`;
const profiles = 'staging: { vars: { rate: 2, tenant: s } }\nlive: { vars: { rate: 3, tenant: l } }\n';

const untilCompleted = ({ runs }: TestServices, runId: string): Promise<void> =>
  expect.poll(async () => (await runs.get(runId)).run.status, { timeout: 10_000 }).toBe('completed');

async function opened(options: Parameters<typeof openTestServices>[1] = {}) {
  const services = await openTestServices({ flow, below }, options);
  const write = (text: string): Promise<void> =>
    writeFile(join(services.dataDir, 'workflows', 'profiles.yaml'), text);
  await write(profiles);
  const loaded = async () => {
    const found = await services.workflows.find('flow');
    if (found === undefined) throw new Error('no flow');
    return found;
  };
  const start = async (name: string) =>
    services.start('flow', [{ n: 10 }], {
      profile: await findProfile(await loaded(), name, parserInProcess),
    });
  const startByKey = async () => {
    const origin = { kind: 'key', keyId: 'k', keyName: 'k' } as const;
    const newRun = await services.runs.beginRun({ workflow: await loaded(), origin });
    await newRun.write(Buffer.from('{"n":10}\n'));
    return newRun.accept(1);
  };
  return { ...services, services, writeProfiles: write, start, startByKey, loaded };
}

it('a run keeps the values of its profile over a restart, and its reruns do', async () => {
  const before = await opened({ executes: false });
  const { runId } = await before.start('staging');
  await before.close();
  const { services: after, writeProfiles } = await opened({ dataDir: before.dataDir });
  await writeProfiles(profiles.replaceAll('rate: 2', 'rate: 200'));
  const output = { got: 20, tenant: 's', below: '2 here' };
  await untilCompleted(after, runId);
  expect(await after.outputs(runId)).toEqual([output]);
  const { run } = await after.runs.rerun(runId, 'all', { kind: 'cli' });
  await untilCompleted(after, run.runId);
  expect(run).toMatchObject({ profile: { name: 'staging' }, vars: { rate: 2, tenant: 's' } });
  expect(await after.outputs(run.runId)).toEqual([output]);
});

it('runs of one workflow with different profiles do not meet', async () => {
  const { services, start } = await opened();
  const runs = [await start('staging'), await start('live')];
  for (const { runId } of runs) await untilCompleted(services, runId);
  expect(await Promise.all(runs.map(({ runId }) => services.outputs(runId)))).toEqual([
    [{ got: 20, tenant: 's', below: '2 here' }],
    [{ got: 30, tenant: 'l', below: '3 here' }],
  ]);
});

it('a variable without a value, and an unknown profile, refuse a run by name', async () => {
  const { services, start, loaded, writeProfiles } = await opened();
  await expect(services.start('flow', [{ n: 1 }])).rejects.toThrow(
    'line 3: the variable "tenant" has no value',
  );
  await expect(start('stagin')).rejects.toThrow(
    'There is no profile "stagin" (did you mean "staging"?); there are: staging, live',
  );
  await writeProfiles('staging: { vars: 1 }');
  await expect(findProfile(await loaded(), 'staging', parserInProcess)).rejects.toThrow(
    'No profile can be used: profiles.yaml:1:18: Expected names with values',
  );
});

it('the setting names the profile of runs that clients start', async () => {
  const { startByKey, writeProfiles } = await opened({ settings: { profile: 'live' } });
  expect(await startByKey()).toMatchObject({ profile: { name: 'live' }, vars: { rate: 3 } });
  await writeProfiles('other: { vars: { tenant: x } }\n');
  await expect(startByKey()).rejects.toThrow(
    'Workflow "flow" cannot run, its file has a problem: There is no profile "live"',
  );
});

it('a profile of the folder above counts for an import, and not one that lies in its folder', async () => {
  const { services, dataDir } = await opened();
  const folder = join(dataDir, 'workflows', 'imported');
  await mkdir(folder);
  await writeFile(join(folder, 'imported.workflow.yaml'), flow.replace('id: flow', 'id: imported'));
  await writeFile(join(folder, 'profiles.yaml'), 'evil: {}\n');
  await services.workflows.refresh();
  const found = await services.workflows.find('imported');
  if (found === undefined) throw new Error('no import');
  await expect(findProfile(found, 'evil', parserInProcess)).rejects.toThrow('there are: staging, live');
});

const calling = `rowbench: 1
id: calling
vars: { base: 'https://a.example', path: x }
nodes:
  - { id: input, type: input }
  - { id: call, type: http, request: { url: '{{ vars.base }}/x' }, mock: { ok: { status: 200, body: {} } } }
  - { id: out, type: output, fields: { got: =nodes.call.status } }
`;

it('trust covers the profiles that there were; one that reaches further asks', async () => {
  const { services, dataDir, writeProfiles } = await opened();
  const folder = join(dataDir, 'workflows', 'calling');
  await mkdir(folder);
  await writeFile(join(folder, 'calling.workflow.yaml'), calling);
  const found = async () => {
    await services.workflows.refresh();
    const loaded = await services.workflows.find('calling');
    if (loaded === undefined) throw new Error('no import');
    return loaded;
  };
  const trust = async () =>
    services.trust.trust(
      await found(),
      (await inEachProfile(await found(), parserInProcess)).map(({ loaded }) => loaded),
    );
  const run = async (name: string) =>
    services.start('calling', [{}], {
      mode: 'mocks',
      profile: await findProfile(await found(), name, parserInProcess),
    });
  await writeProfiles('near: { vars: { path: y } }\nfar: { vars: { base: https://b.example } }\n');
  await services.trust.trust(await found());
  await expect(run('near')).resolves.toMatchObject({ vars: { path: 'y' } });
  await expect(run('far')).rejects.toThrow('https://b.example');
  await trust();
  await expect(run('far')).resolves.toMatchObject({ vars: { base: 'https://b.example' } });
  await writeProfiles('far: { vars: { base: https://c.example } }\n');
  await expect(run('far')).rejects.toThrow('https://c.example');
});
