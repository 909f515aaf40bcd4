// A run of what is edited: the file is saved first, and the run has its text.
import { readFile } from 'node:fs/promises';
import { editLine, fileOf, onEditorScreen, test } from './editor-screen.ts';
import { expect } from './in-app.ts';

test('a draft is saved and then run, never run unsaved', async ({ app, page, enter, problems }) => {
  await enter('/workflows/leads');
  await editLine(page, 3);
  await page.keyboard.type(' twice');
  await expect(onEditorScreen(page).file).toContainText('1 changed line');
  await page.keyboard.press('Control+Shift+Enter');
  await expect(page).toHaveURL(/\/workflows\/leads\/run/);
  const text = await readFile(fileOf(app.dataDir), 'utf8');
  expect(text).toContain('name: Score leads twice');
  // The grid has the focus: the first cell of the first row.
  await page.getByRole('button', { name: 'Run 0 rows' }).waitFor();
  await page.keyboard.type('ada@b.example');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Run 1 row' })).toBeVisible();
  await page.keyboard.press('Control+Enter');
  await expect(page).toHaveURL(/\/runs\//);
  const [run] = await app.handlers['run.list']({ limit: 50 });
  expect(await app.handlers['run.workflowText']({ runId: run?.runId ?? '' })).toBe(text);

  await enter('/workflows/leads');
  await editLine(page, 3);
  await page.keyboard.type(': x');
  await expect(onEditorScreen(page).squiggles.first()).toBeVisible();
  await page.keyboard.press('Control+Shift+Enter');
  await expect(page.getByText('Fix the errors first: no run starts until then')).toBeVisible();
  await expect(page).toHaveURL(/\/workflows\/leads(\?|$)/);
  expect(problems).toEqual([]);
});
