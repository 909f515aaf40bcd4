// The tests of a draft: they follow the text before it is saved, and lead to the row that differs.
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { editLine, fileOf, onEditorScreen, test as base } from './editor-screen.ts';
import { companiesWorkflow, startCompanyService } from './company-service.ts';
import { barriers, expect, linkTo, startApp } from './in-app.ts';

const leads = `rowbench: 1
id: leads
nodes:
  - { id: input, type: input, testRows: [{ n: 1 }] }
  - { id: ask, type: http, request: { url: https://api.example.com/ }, mock: { one: 1, ten: 10 } }
  - id: sum
    type: code
    code: return row.n + nodes.ask;
  - { id: result, type: output, fields: { n: =nodes.sum } }
`;
const tests = `rowbench: 1
tests:
  - name: adds one
    rows: [{ n: 1 }]
    mocks: { ask: one }
    expect: { status: completed, rows: [{ n: 2 }] }
  - name: adds ten
    rows: [{ n: 1 }, { n: 2 }]
    mocks: { ask: ten }
    expect: { status: completed, rows: [{ n: 11 }, { n: 12 }] }
`;

const test = base.extend({
  app: async ({}, use) => {
    const app = await startApp({ workflows: { leads } });
    await use(app);
    await app.close();
  },
});

test('tests follow the draft, and a failed one leads to its row with its mocks', async ({
  app,
  page,
  enter,
  problems,
}) => {
  await writeFile(join(dirname(fileOf(app.dataDir)), 'leads.tests.yaml'), tests);
  await enter('/workflows/leads/tests');
  const panel = page.getByRole('tabpanel', { name: 'Tests' });
  const values = page.getByRole('region', { name: 'Values', exact: true });
  const { editor } = onEditorScreen(page);
  await editLine(page, 8);
  await expect(panel.getByRole('status')).toHaveText('2 tests passed');

  await page.keyboard.press('ArrowLeft');
  // In one piece: text that is typed slowly takes more than one undo.
  await page.keyboard.insertText(' + (row.n === 2)');
  await expect(panel.getByRole('status')).toHaveText('1 test passed, 1 failed');
  await expect(panel.getByRole('group', { name: 'What differs in adds ten' })).toContainText('+ came 13');
  expect(await readFile(fileOf(app.dataDir), 'utf8')).toBe(leads);

  await panel.getByRole('button', { name: 'Line 7 of leads.tests.yaml' }).press('Enter');
  await expect(page.getByRole('textbox', { name: 'leads.tests.yaml' })).toBeFocused();
  expect(await barriers(page)).toEqual([]);
  await panel.getByRole('button', { name: 'Show row 2 of adds ten' }).press('Enter');
  await expect(values).toContainText('Output of row 2');
  await expect(values).toContainText('13');
  await expect(page.getByText('Rows of the test “adds ten”')).toBeVisible();

  await page.getByRole('tab', { name: 'Tests' }).click();
  await expect(panel.getByRole('status')).toHaveText('1 test passed, 1 failed');
  await page.keyboard.press('Control+z');
  await expect(panel.getByRole('status')).toHaveText('2 tests passed');
  await expect(editor).toBeVisible();
  expect(problems).toEqual([]);
});

const scorer = (url: string): string => `rowbench: 1
id: judge
name: Judge replies
nodes:
  - { id: input, type: input }
  - { id: ask, type: http, request: { url: "${url}/judge" } }
  - { id: result, type: output, fields: { score: =nodes.ask.body.size } }
`;
const unrecorded = `rowbench: 1
tests:
  - name: sizes are found
    rows: [{ name: acme }, { name: bolt }]
    expect: { status: completed, rows: [{ size: 1 }, { size: 9 }] }
  - name: sizes are judged
    rows: [{ name: acme }]
    cassette: judged.cassette.json
    expect: { status: completed, score: { workflow: judge, atLeast: 2 } }
`;
const terminalText = /rowbench (secrets|test|grants|serve|open)/;

test('a tester records, accepts one value, tries faults and sees scores in the app alone', async ({
  page,
}) => {
  const service = await startCompanyService();
  const workflows = { companies: companiesWorkflow(service.url), judge: scorer(service.url) };
  const app = await startApp({ workflows });
  const file = join(app.dataDir, 'workflows', 'companies.tests.yaml');
  await writeFile(file, unrecorded);
  try {
    await page.goto(await linkTo(app, '/workflows/companies/tests'));
    const panel = page.getByRole('tabpanel', { name: 'Tests' });
    const status = panel.getByRole('status');
    const item = (name: string) => panel.getByRole('listitem').filter({ hasText: name });
    const allow = async (): Promise<void> => {
      await panel.getByRole('button', { name: 'Allow…' }).press('Enter');
      await page.getByRole('dialog').getByRole('button', { name: 'Allow' }).press('Enter');
      await expect(panel.getByRole('button', { name: 'Allow…' })).toBeHidden();
    };
    const record = (name: string) => panel.getByRole('button', { name: `Record of ${name}` });
    await expect(status).toHaveText('2 tests failed');
    await expect(panel).toContainText('record the test');
    await expect(page.locator('body')).not.toContainText(terminalText);

    await record('sizes are found').press('Enter');
    await expect(panel).toContainText(`Calls to ${service.url} are not allowed`);
    expect(service.calls()).toBe(0);
    expect(await barriers(page)).toEqual([]);
    await allow();
    await record('sizes are found').press('Enter');
    await expect(item('sizes are found')).toContainText('+ came 2');
    expect(service.calls()).toBe(2);
    await panel.getByRole('button', { name: 'Accept size in row 2 of sizes are found' }).press('Enter');
    await expect(status).toHaveText('1 test passed, 1 failed');

    await panel.getByRole('button', { name: 'Faults: none' }).press('Enter');
    const faults = page.getByRole('dialog', { name: 'Faults' });
    await faults.getByRole('checkbox', { name: 'Service answers 500' }).check();
    await faults.getByRole('spinbutton').fill('100');
    await faults.getByRole('spinbutton').press('Enter');
    await expect(status).toHaveText('2 tests failed');
    await expect(item('sizes are found')).toContainText('HTTP 50');
    expect(await barriers(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await panel.getByRole('button', { name: 'Keep the faults of sizes are found' }).press('Enter');
    await expect(item('sizes are found')).toContainText('upstream-5xx=1');
    await page.getByRole('textbox', { name: 'Workflow file' }).focus();
    await page.keyboard.press('Control+z');
    await panel.getByRole('button', { name: /^Faults: / }).press('Enter');
    await faults.getByRole('checkbox', { name: 'Service answers 500' }).uncheck();
    await page.keyboard.press('Escape');
    await expect(status).toHaveText('1 test passed, 1 failed');

    await record('sizes are judged').press('Enter');
    await allow();
    await record('sizes are judged').press('Enter');
    await expect(status).toHaveText('2 tests passed');
    await expect(item('sizes are judged')).toContainText('Scores (at least 2): row 1 4');
    await expect(page.locator('body')).not.toContainText(terminalText);
    await panel.getByRole('button', { name: 'sizes are judged', exact: true }).press('Enter');
    await panel.getByRole('textbox', { name: 'Name of the test' }).fill('sizes are good');
    await page.keyboard.press('Enter');
    await expect(item('sizes are good')).toContainText('row 1 4');
    expect(await readFile(file, 'utf8')).toBe(unrecorded);
  } finally {
    await app.close();
    await service.close();
  }
});
