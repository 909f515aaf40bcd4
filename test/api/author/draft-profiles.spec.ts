// Profiles of a workflow that is edited: chosen for its previews and its tests.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { QuestionInput } from '../../../src-main/contract/index.ts';
import { askAbout, askAboutText, fileWith } from '../../builders/editor-window.ts';
import { startTestApp, type TestApp } from '../../builders/start-test-app.ts';

const flow = `rowbench: 1
id: flow
vars: { rate: 1 }
nodes:
  - { id: input, type: input, testRows: [{ n: 10 }] }
  - { id: out, type: output, fields: { got: =row.n * vars.rate } }
`;
const tests = `rowbench: 1
tests:
  - name: costs twenty
    rows: [{ n: 10 }]
    expect: { status: completed, rows: [{ got: 20 }] }
`;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ workflows: { flow }, settings: { profile: 'live' } });
  const folder = join(app.dataDir, 'workflows');
  await writeFile(
    join(folder, 'profiles.yaml'),
    'staging: { vars: { rate: 2, host: https://staging.invalid } }\nlive: { vars: { rate: 3 } }\n',
  );
  await writeFile(join(folder, 'flow.tests.yaml'), tests);
});
afterAll(() => app.close());

const preview = (choice: Partial<QuestionInput<'preview'>> = {}, text = flow) =>
  askAboutText(app.handlers, { workflowId: 'flow', text }, 'preview', {
    rows: { of: 'testRows' },
    mode: 'mocks',
    ...choice,
  });
const outputs = async (choice?: Partial<QuestionInput<'preview'>>) => {
  const { rows, profile } = await preview(choice);
  return { outputs: rows.map(({ output }) => output?.text), profile };
};

it('a preview has the profile that is chosen, without a choice that of the server, and names it', async () => {
  expect(await outputs()).toEqual({ outputs: ['{"got":30}'], profile: 'live' });
  expect(await outputs({ profile: 'staging' })).toEqual({ outputs: ['{"got":20}'], profile: 'staging' });
  expect(await outputs({ profile: '' })).toEqual({ outputs: ['{"got":10}'], profile: undefined });
  expect(await app.handlers['workflow.show']({ workflowId: 'flow' })).toMatchObject({ profile: 'live' });
});

it('the file of profiles is one of the editor, checked and saved with the others', async () => {
  const { handlers } = app;
  const opened = await handlers['author.open']({ workflowId: 'flow' });
  const profiles = opened.files.find(({ name }) => name === 'profiles.yaml');
  expect(opened.files.map(({ name }) => name)).toEqual([
    'flow.workflow.yaml',
    'flow.tests.yaml',
    'profiles.yaml',
  ]);
  const check = async (text: string) => {
    const files = [fileWith('flow.workflow.yaml', flow), fileWith('profiles.yaml', text)];
    return (await askAbout(handlers, 'flow', files, 'check', {}))?.sidecars['profiles.yaml'];
  };
  expect(await check(profiles?.text ?? '')).toEqual([]);
  expect(await check('staging: { vars: 2 }\n')).toHaveLength(1);
  const text = `${profiles?.text}test: { vars: { rate: 4 } }\n`;
  const save = { name: 'profiles.yaml', baseHash: profiles?.hash ?? null, text };
  expect(await handlers['author.save']({ workflowId: 'flow', files: [save] })).toMatchObject({
    kind: 'saved',
  });
  expect(await outputs({ profile: 'test' })).toMatchObject({ outputs: ['{"got":40}'] });
});

it('the form has the values of each profile, as they are in the draft, with their lines', async () => {
  const { handlers } = app;
  const profilesOf = async (files: Parameters<typeof askAbout>[2]) =>
    (await askAbout(handlers, 'flow', [fileWith('flow.workflow.yaml', flow), ...files], 'names', {}))
      ?.profiles;
  expect((await profilesOf([]))?.map(({ name, line }) => ({ name, line }))).toEqual([
    { name: 'staging', line: 1 },
    { name: 'live', line: 2 },
    { name: 'test', line: 3 },
  ]);
  const text = 'live:\n  vars:\n    rate: 3\n    limits: { low: 1 }\nbare:\nwrong: { vars: 2 }\n';
  expect(await profilesOf([fileWith('profiles.yaml', text)])).toEqual([
    {
      name: 'live',
      line: 1,
      vars: [
        { name: 'rate', value: 3, line: 3 },
        { name: 'limits', value: { low: 1 }, line: 4 },
      ],
    },
    { name: 'bare', line: 5, vars: [] },
    { name: 'wrong', line: 6, vars: [] },
  ]);
  expect(await profilesOf([fileWith('profiles.yaml', 'a: [')])).toEqual([]);
});

it('a preview with a profile that is gone says so', async () => {
  const { rows, issues } = await preview({ profile: 'stagin' });
  expect(rows).toEqual([]);
  expect(issues.map(({ message }) => message)).toEqual([
    'There is no profile "stagin" (did you mean "staging"?); there are: staging, live, test',
  ]);
});

it('a call for a previewed row is made with the profile of that preview', async () => {
  const text = flow
    .replace('rate: 1', 'rate: 1, host: https://a.invalid')
    .replace(
      '  - { id: out',
      "  - { id: ask, type: http, request: { url: '{{ vars.host }}/' } }\n  - { id: out",
    );
  await preview({ profile: 'staging' }, text);
  const { row } = await app.handlers['author.call']({ workflowId: 'flow', text, row: 1, nodeId: 'ask' });
  await preview({ profile: '' }, text);
  const other = await app.handlers['author.call']({ workflowId: 'flow', text, row: 1, nodeId: 'ask' });
  expect([row, other.row].map(({ error }) => error?.message)).toEqual([
    expect.stringContaining('staging.invalid'),
    expect.stringContaining('a.invalid'),
  ]);
});

it('tests have the defaults of the file, or the profile that is chosen', async () => {
  const runTests = (input: QuestionInput<'tests'>) =>
    askAboutText(app.handlers, { workflowId: 'flow', text: flow }, 'tests', input);
  const saved = { workflowId: 'flow' };
  expect(await runTests({})).toMatchObject({ passed: 0, failed: 1 });
  expect(await runTests({ profile: 'staging' })).toMatchObject({ passed: 1 });
  expect(await app.handlers['workflow.runTests'](saved)).toMatchObject({ passed: 0, failed: 1 });
  expect(await app.handlers['workflow.runTests']({ ...saved, profile: 'staging' })).toMatchObject({
    passed: 1,
  });
  await expect(runTests({ profile: 'nine' })).rejects.toThrow('There is no profile "nine"');
});
