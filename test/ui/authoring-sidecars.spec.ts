// The tests file of a workflow is edited in the same editor: one draft, one save, one order of undo.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { editLine, fileOf, leads, onEditorScreen, test } from './editor-screen.ts';
import { barriersInBothThemes, expect } from './in-app.ts';

const tests = `rowbench: 1
tests:
  - name: host of a lead
    rows: [{ email: a@b.c }]
    expect:
      status: completed
      rows: [{ host: a@b.c }]
`;

const testsFileOf = (dataDir: string): string => join(dataDir, 'workflows', 'leads.tests.yaml');

test('a tests file is checked, drafted and saved with its workflow', async ({
  app,
  page,
  enter,
  problems,
}) => {
  await writeFile(testsFileOf(app.dataDir), tests);
  await enter('/workflows/leads');
  const { file, lines, editor } = onEditorScreen(page);
  await editLine(page, 3);
  await page.keyboard.type('!');
  const picker = file.getByRole('combobox', { name: 'File to edit' });
  await picker.selectOption('leads.tests.yaml');
  const testsEditor = page.getByRole('textbox', { name: 'leads.tests.yaml' });
  await expect(testsEditor).toBeVisible();
  await expect(editor).toBeHidden();
  await testsEditor.focus();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('x');
  await expect(testsEditor.locator('.cm-lintRange-error').first()).toBeVisible();
  await expect(picker).toContainText(/leads\.tests\.yaml · changed · \d issues?/);
  await page.keyboard.press('Control+End');
  await page.keyboard.press('F8');
  await expect(file.getByText(/^Issue 1 of \d+: /)).toHaveCount(1);
  expect(await barriersInBothThemes(page)).toEqual([]);
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Delete');
  await page.keyboard.type('# Tests.\n');
  await expect(picker).not.toContainText('issue');
  await expect(file).toContainText('2 changed lines');
  await expect(file).toContainText('stored');

  await page.reload();
  await expect(file).toContainText('2 changed lines');
  await editLine(page, 1);
  await page.keyboard.press('Control+s');
  await expect(page.getByText('Saved.')).toBeVisible();
  await expect(file).toContainText('No changes');
  expect(await readFile(testsFileOf(app.dataDir), 'utf8')).toBe(`# Tests.\n${tests}`);
  expect(await readFile(fileOf(app.dataDir), 'utf8')).toBe(leads.replace('Score leads', 'Score leads!'));
  await expect(lines.nth(2)).toHaveText('name: Score leads!');
  await expect.poll(() => app.handlers['author.drafts']({})).toEqual([]);
  expect(problems).toEqual([]);
});

test('undo takes back the last step of any file, and shows it', async ({ app, page, enter }) => {
  await writeFile(testsFileOf(app.dataDir), tests);
  await enter('/workflows/leads');
  const { file, lines, editor } = onEditorScreen(page);
  await editLine(page, 3);
  await page.keyboard.type('!');
  const picker = file.getByRole('combobox', { name: 'File to edit' });
  await picker.selectOption('leads.tests.yaml');
  const testsEditor = page.getByRole('textbox', { name: 'leads.tests.yaml' });
  await testsEditor.focus();
  await page.keyboard.type('#');
  await expect(file).toContainText('2 changed lines');
  await picker.selectOption('leads.workflow.yaml');
  await editor.focus();
  await page.keyboard.press('Control+z');
  await expect(testsEditor).toBeFocused();
  await expect(testsEditor.locator('.cm-line').first()).toHaveText('rowbench: 1');
  await page.keyboard.press('Control+z');
  await expect(editor).toBeFocused();
  await expect(lines.nth(2)).toHaveText('name: Score leads');
  await expect(file).toContainText('No changes');
  await page.keyboard.press('Control+Shift+Z');
  await page.keyboard.press('Control+Shift+Z');
  await expect(testsEditor).toBeFocused();
  await expect(testsEditor.locator('.cm-line').first()).toHaveText('#rowbench: 1');
});

test('a tests file is created by a save, and kept out of the way of another one', async ({
  app,
  page,
  enter,
}) => {
  await enter('/workflows/leads');
  const { file, conflict } = onEditorScreen(page);
  await editLine(page, 3);
  await file
    .getByRole('combobox', { name: 'File to edit' })
    .selectOption({ label: 'leads.tests.yaml · new' });
  const testsEditor = page.getByRole('textbox', { name: 'leads.tests.yaml' });
  await testsEditor.fill('tests: []');
  await writeFile(testsFileOf(app.dataDir), tests);
  await page.keyboard.press('Control+s');
  await expect(conflict).toContainText('leads.tests.yaml');
  await expect(conflict.getByRole('button', { name: 'Save' })).toBeDisabled();
  await conflict.getByRole('button', { name: 'All mine' }).click();
  expect(await readFile(testsFileOf(app.dataDir), 'utf8')).toBe(tests);
  await conflict.getByRole('button', { name: 'Save' }).press('Enter');
  await expect(file).toContainText('No changes');
  expect(await readFile(testsFileOf(app.dataDir), 'utf8')).toBe('tests: []');
});
