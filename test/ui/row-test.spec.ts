// A test of one row of the preview, written into the draft of the tests file.
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { editLine, fileOf, onEditorScreen, test as base } from './editor-screen.ts';
import { barriers, expect, startApp } from './in-app.ts';

const leads = `rowbench: 1
id: leads
nodes:
  - { id: input, type: input, testRows: [{ name: Ada }, { name: Grace }] }
  - { id: mood, type: code, code: "return row.name.length > 3 ? 'glad' : 'calm';" }
  - { id: ask, type: http, request: { url: https://api.example.com/ }, mock: { small: { status: 200, headers: {}, body: 3 } } }
  - { id: result, type: output, fields: { greeting: "Hello {{ row.name }}", mood: =nodes.mood, size: =nodes.ask.body } }
`;
const tests = `# Checked by Ada.\r\nrowbench: 1\r\ntests:\r\n  - name:   greets  # quick\r\n    rows: [{ name: Ada }]\r\n    mocks: { ask: small }\r\n    expect: { status: completed }\r\n`;

const test = base.extend({
  app: async ({}, use) => {
    const app = await startApp({ workflows: { leads } });
    await use(app);
    await app.close();
  },
});

test('a test of row 2 is added byte for byte, saved with the workflow, and passes at once', async ({
  app,
  page,
  enter,
  problems,
}) => {
  const file = join(dirname(fileOf(app.dataDir)), 'leads.tests.yaml');
  await writeFile(file, tests);
  await enter('/workflows/leads');
  const { card, save } = onEditorScreen(page);
  const values = page.getByRole('region', { name: 'Values', exact: true });
  await editLine(page, 7);
  await card('mood').click();
  await expect(values).toContainText('mood in row 1');
  await page.keyboard.press(']');
  await expect(values).toContainText('mood in row 2');
  await values.getByRole('button', { name: 'Save as test…' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Save as test' });
  const fields = dialog.getByRole('region', { name: 'Expected fields' });
  await expect(fields).toContainText('"Hello Grace"');
  await expect(dialog.getByRole('status')).toHaveCount(0);
  expect(await barriers(page)).toEqual([]);
  await dialog.getByLabel('Expect of greeting').selectOption('Not checked');
  await dialog.getByLabel('Expect of size').selectOption('Same type');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('greets');
  await page.keyboard.press('Enter');
  await expect(dialog).toContainText('The name is already taken by the test in line 4');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('is glad in row 2');
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  expect(await readFile(file, 'utf8')).toBe(tests);

  await save.click();
  const added = [
    '  - name: is glad in row 2',
    '    # From a preview of the draft.',
    '    rows:',
    '      - { name: Grace }',
    '    mocks:',
    '      ask: small',
    '    expect:',
    '      status: completed',
    '      contains: true',
    '      rows:',
    '        - { mood: glad }',
    '      fields:',
    '        size:',
    '          schema:',
    '            type: number',
    '',
  ];
  await expect.poll(() => readFile(file, 'utf8')).toBe(tests + added.join('\r\n'));
  const ran = await app.handlers['workflow.runTests']({ workflowId: 'leads' });
  expect(ran).toMatchObject({ passed: 2, failed: 0 });

  // The next test of the row says so first, and has a name of its own.
  await values.getByRole('button', { name: 'Save as test…' }).press('Enter');
  await expect(dialog.getByRole('status')).toHaveText(
    '“is glad in row 2” in line 8 of leads.tests.yaml tests the same row already.',
  );
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('row 2');
  expect(problems).toEqual([]);
});

test('a row that fails is expected to fail, in a file that is new', async ({ app, page, enter }) => {
  const failing = leads.replace('row.name.length > 3', 'row.nothing.length > 3');
  await writeFile(fileOf(app.dataDir), failing);
  await enter('/workflows/leads');
  const { card, save } = onEditorScreen(page);
  const values = page.getByRole('region', { name: 'Values', exact: true });
  await editLine(page, 7);
  await card('mood').click();
  await values.getByRole('button', { name: 'Save as test…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save as test' });
  await expect(dialog.getByRole('region', { name: 'Expected error' })).toContainText('undefined');
  await dialog.getByRole('button', { name: 'Add test' }).click();
  await expect(dialog).toBeHidden();
  await save.click();
  await expect
    .poll(async () => (await app.handlers['workflow.runTests']({ workflowId: 'leads' })).passed)
    .toBe(1);
});
