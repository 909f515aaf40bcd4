// A run of what is edited: the file is saved first, and the run has its text.
import { readFile, writeFile } from 'node:fs/promises';
import { editLine, fileOf, onEditorScreen, test } from './editor-screen.ts';
import { barriers, expect } from './in-app.ts';

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

  // The test rows run without a question, with faults if they are wanted.
  const testRows = '[{ email: a@b.example }, { email: c@d.example }]';
  await writeFile(fileOf(app.dataDir), text.replace('type: input', `type: input\n    testRows: ${testRows}`));
  await enter('/workflows/leads');
  const { run: runButton, file, form } = onEditorScreen(page);
  await expect(runButton).toHaveText('Run 2 rows');
  await editLine(page, 12);
  await form.getByRole('textbox', { name: 'host', exact: true }).focus();
  await page.keyboard.type('.length');
  await page.keyboard.press('Control+Shift+Enter');
  await expect(page).toHaveURL(/\/runs\//);
  const runs = await app.handlers['run.list']({ limit: 50 });
  expect(runs[0]).toMatchObject({ workflowId: 'leads', rows: 2 });
  expect(await app.handlers['run.workflowText']({ runId: runs[0]?.runId ?? '' })).toContain(
    'row.email.length',
  );
  await enter('/workflows/leads');
  await file.getByRole('button', { name: 'Other rows' }).press('Enter');
  await expect(page.getByRole('menu').getByRole('menuitem')).toHaveText([
    'Enter rows…',
    'Rows of a file…',
    /^2 rows of run …/,
    'Run 2 rows with faults…',
    'Run 2 rows, and record',
  ]);
  expect(await barriers(page)).toEqual([]);
  await page.getByRole('menuitem', { name: 'Run 2 rows with faults…' }).press('Enter');
  await page.getByRole('checkbox', { name: 'Each row is slow' }).check();
  await page.getByRole('dialog').getByRole('button', { name: 'Run 2 rows' }).press('Enter');
  await expect(page).toHaveURL(/\/runs\//);
  expect((await app.handlers['run.list']({ limit: 50 }))[0]).toMatchObject({
    rows: 2,
    scenario: 'slow=200ms',
  });

  await enter('/workflows/leads');
  await editLine(page, 3);
  await page.keyboard.type(': x');
  await expect(onEditorScreen(page).squiggles.first()).toBeVisible();
  await page.keyboard.press('Control+Shift+Enter');
  await expect(page.getByText('Fix the errors first')).toBeVisible();
  await expect(page).toHaveURL(/\/workflows\/leads(\?|$)/);
  expect(problems).toEqual([]);
});
