// The tests of a draft: they follow the text before it is saved, and lead to the row that differs.
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { editLine, fileOf, onEditorScreen, test as base } from './editor-screen.ts';
import { barriers, expect, startApp } from './in-app.ts';

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
  const values = page.getByRole('tabpanel', { name: 'Values' });
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
  await expect(values).toContainText('result in row 2');
  await expect(values).toContainText('13');
  await expect(page.getByText('Rows of the test “adds ten”')).toBeVisible();

  await page.getByRole('tab', { name: 'Tests' }).click();
  await page.keyboard.press('Control+z');
  await expect(panel.getByRole('status')).toHaveText('2 tests passed');
  await expect(editor).toBeVisible();
  expect(problems).toEqual([]);
});
