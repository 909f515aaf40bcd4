// A file of rows in the editor: edited, checked, saved, and brought back from its history.
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { editLine, fileOf, onEditorScreen, test as base } from './editor-screen.ts';
import { barriers, expect, startApp } from './in-app.ts';

const leads = `rowbench: 1
id: leads
nodes:
  - { id: input, type: input, testRows: rows.json }
  - { id: result, type: output, fields: { n: =row.n } }
`;
const rows = '[\n  { "n": 1 }\n]\n';

const test = base.extend({
  app: async ({}, use) => {
    const app = await startApp({ workflows: { leads } });
    await writeFile(join(dirname(fileOf(app.dataDir)), 'rows.json'), rows);
    await use(app);
    await app.close();
  },
});

test('a file of rows that is too large to edit is listed, with what to do instead', async ({
  app,
  page,
  enter,
  problems,
}) => {
  const file = join(dirname(fileOf(app.dataDir)), 'rows.json');
  await writeFile(file, `[\n${'  { "n": 1 },\n'.repeat(100_000)}  { "n": 2 }\n]\n`);
  await enter('/workflows/leads');
  await editLine(page, 1);
  const picker = page.getByRole('combobox', { name: 'File to edit' });
  await picker.selectOption('rows.json · too large to edit here');
  const reason = page.getByRole('status').filter({ hasText: 'rows.json' });
  await expect(reason).toContainText(
    'rows.json (1.4 MB) is too large to edit here: files of rows can have 200,000 characters together. ' +
      'Edit it in another program: previews and runs use it as it is saved there.',
  );
  await expect(picker).toHaveValue('leads.workflow.yaml');
  await expect(page.getByRole('textbox', { name: 'Workflow file' })).toBeVisible();
  expect(await barriers(page)).toEqual([]);
  await reason.getByRole('button', { name: 'Dismiss' }).press('Enter');
  await expect(reason).toHaveCount(0);

  await page.getByRole('button', { name: 'New file…' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'New file' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('rows.json');
  await expect(dialog).toContainText('There is such a file already');
  await page.keyboard.press('Escape');

  // Another program makes it small enough.
  await writeFile(file, rows);
  await picker.selectOption('rows.json');
  await expect(page.getByRole('textbox', { name: 'rows.json' })).toBeVisible();
  await expect(picker).toHaveValue('rows.json');
  expect(problems).toEqual([]);
});

test('rows are edited beside the workflow, restored from their history, and put into a new file', async ({
  app,
  page,
  enter,
  problems,
}) => {
  const file = join(dirname(fileOf(app.dataDir)), 'rows.json');
  await enter('/workflows/leads');
  const { card, choose, save } = onEditorScreen(page);
  await editLine(page, 1);
  const picker = page.getByRole('combobox', { name: 'File to edit' });
  await picker.selectOption('rows.json');
  const editor = page.getByRole('textbox', { name: 'rows.json' });
  await expect(editor).toBeFocused();
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  await page.keyboard.type(',');
  await expect(picker).toContainText('rows.json · changed · 1 issue');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.type('2');
  await expect(picker).not.toContainText('1 issue');
  expect(await readFile(file, 'utf8')).toBe(rows);
  await save.click();
  await expect.poll(() => readFile(file, 'utf8')).toBe(rows.replace('1', '12'));

  await choose('Earlier texts…');
  const history = page.getByRole('dialog', { name: 'Earlier texts of rows.json' });
  await history.getByRole('radio', { name: 'saved outside the app' }).check();
  await expect(history).toContainText('"n": 1');
  expect(await barriers(page)).toEqual([]);
  await history.getByRole('button', { name: 'Restore' }).click();
  await expect(picker).toContainText('rows.json · changed');
  await save.click();
  await expect.poll(() => readFile(file, 'utf8')).toBe(rows);

  await page.getByRole('button', { name: 'New file…' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'New file' });
  const name = dialog.getByRole('textbox', { name: 'Name' });
  await expect(name).toHaveValue('leads.rows.json');
  await name.fill('sub/other.json');
  await expect(dialog).toContainText('its name has no folder');
  expect(await barriers(page)).toEqual([]);
  await name.fill('leads.rows.json');
  await name.press('Enter');
  await expect(page.getByRole('textbox', { name: 'leads.rows.json' })).toBeFocused();
  await page.keyboard.press('Control+A');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText('[{ "n": 7 }]\n');
  await expect(picker).toContainText('leads.rows.json · changed');
  await page.keyboard.press('Control+s');
  await expect
    .poll(() => readFile(join(dirname(file), 'leads.rows.json'), 'utf8').catch(String))
    .toBe('[{ "n": 7 }]\n');
  await expect
    .poll(() => readFile(fileOf(app.dataDir), 'utf8'))
    .toBe(leads.replace('rows.json', 'leads.rows.json'));
  await expect(card('result')).toContainText('{ n: 7 }');
  expect(problems).toEqual([]);
});
