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

test('rows are edited beside the workflow, saved, and restored from their history', async ({
  app,
  page,
  enter,
  problems,
}) => {
  const file = join(dirname(fileOf(app.dataDir)), 'rows.json');
  await enter('/workflows/leads');
  const { save } = onEditorScreen(page);
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

  await page.getByRole('button', { name: 'History' }).click();
  const history = page.getByRole('dialog', { name: 'Earlier texts of rows.json' });
  await history.getByRole('radio', { name: 'saved outside the app' }).check();
  await expect(history).toContainText('"n": 1');
  expect(await barriers(page)).toEqual([]);
  await history.getByRole('button', { name: 'Restore' }).click();
  await expect(picker).toContainText('rows.json · changed');
  await save.click();
  await expect.poll(() => readFile(file, 'utf8')).toBe(rows);
  expect(problems).toEqual([]);
});
