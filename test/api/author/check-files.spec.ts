// The check of files beside a workflow while they are edited, against the workflow as it is edited.
import { expect, it, onTestFinished } from 'vitest';
import { askAbout, fileWith } from '../../builders/editor-window.ts';
import { longestTurn } from '../../builders/longest-turn.ts';
import { startTestApp } from '../../builders/start-test-app.ts';

const workflow = `rowbench: 1
id: leads
nodes:
  - { id: input, type: input }
  - { id: score, type: set, values: { a: 1 }, mock: { good: { value: { a: 2 } } } }
  - { id: result, type: output, fields: { a: =nodes.score.a } }
`;

const tests = `rowbench: 1
tests:
  - name: good
    rows: [{}]
    mocks: { score: good }
    expect:
      status: completed
      rows: [{ a: 2 }]
`;

async function checking({ ownProcesses = false } = {}) {
  const app = await startTestApp({ workflows: { leads: workflow }, ownProcesses });
  onTestFinished(() => app.close());
  return async (name: string, text: string, changed = workflow) => {
    const files = [fileWith('leads.workflow.yaml', changed), fileWith(name, text)];
    return (await askAbout(app.handlers, 'leads', files, 'check', {}))?.sidecars[name] ?? [];
  };
}

it('a tests file is checked with the places of its issues', async () => {
  const check = await checking();
  expect(await check('leads.tests.yaml', tests)).toEqual([]);
  expect(await check('leads.tests.yaml', tests.replace('rows:', 'rowz:'))).toMatchObject([
    { severity: 'error', line: 3 },
    { severity: 'error', line: 4 },
  ]);
  expect((await check('leads.tests.yaml', 'tests: [')).length).toBeGreaterThan(0);
});

it('a tests file is checked against the workflow as it is edited', async () => {
  const check = await checking();
  const renamed = workflow.replace('id: score', 'id: rate').replace('nodes.score', 'nodes.rate');
  expect(await check('leads.tests.yaml', tests, renamed)).toMatchObject([{ line: 5 }]);
  // A workflow with errors says nothing of its tests.
  expect(await check('leads.tests.yaml', tests, 'nodes: [')).toEqual([]);
});

it('a cassette says what is wrong with it', async () => {
  const check = await checking();
  expect(await check('leads.cassette.json', '{')).toMatchObject([{ severity: 'error', line: 1 }]);
});

// Each kept the server silent while it was checked: for 0.7 s a table of short lines.
it.each([
  ['table', 'leads.csv', `a,b\n${'1,2\n'.repeat(400_000)}`, []],
  ['row', 'leads.json', `[{"list":[${'[1],'.repeat(450_000)}1]}]`, []],
  [
    'cassette',
    'leads.cassette.json',
    `{"rowbench":1,"entries":[${'1,'.repeat(600_000)}1]}`,
    [{ severity: 'error' }],
  ],
])('a server stays responsive while it checks a large %s', async (_, name, text, issues) => {
  const check = await checking({ ownProcesses: true });
  await check('leads.csv', 'a');
  const { result, longestPart } = await longestTurn(() => check(name, text));
  expect(result).toMatchObject(issues);
  expect(longestPart).toBeLessThan(0.5);
});
