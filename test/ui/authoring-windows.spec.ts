// Two windows on one workflow, and changes of other programs while nothing is edited.
import { writeFile } from 'node:fs/promises';
import { editLine, fileOf, leads, onEditorScreen, test } from './editor-screen.ts';
import { barriers, expect, linkTo } from './in-app.ts';

test('a second window shows the draft of the first, and takes over', async ({
  app,
  page,
  enter,
  context,
}) => {
  await enter('/workflows/leads');
  const first = onEditorScreen(page);
  await editLine(page, 3);
  await page.keyboard.type('!');
  await expect(first.file).toContainText('stored');

  const secondPage = await context.newPage();
  await secondPage.goto(await linkTo(app, '/workflows/leads'));
  const second = onEditorScreen(secondPage);
  await expect(second.file).toContainText('Another window edits this workflow');
  await expect(second.lines.nth(2)).toHaveText('name: Score leads!');
  await second.file.getByRole('tab', { name: 'Test rows' }).click();
  const grid = secondPage.getByRole('grid', { name: 'Rows' });
  await expect(grid).toHaveAttribute('aria-readonly', 'true');
  await second.editor.focus();
  await secondPage.keyboard.type('mine');
  expect(await barriers(secondPage)).toEqual([]);
  await first.editor.focus();
  await page.keyboard.type('?');
  await expect(second.lines.nth(2)).toHaveText('name: Score leads!?', { timeout: 15_000 });

  await second.file.getByRole('button', { name: 'Edit here' }).click();
  await expect(second.file.getByRole('button', { name: 'Save', exact: true })).toBeVisible();
  await expect(grid).not.toHaveAttribute('aria-readonly');
  await expect(first.file).toContainText('Another window edits this workflow', { timeout: 20_000 });
  await second.editor.focus();
  await secondPage.keyboard.press('Control+Home');
  await secondPage.keyboard.type('# Mine.\n');
  await expect(first.lines.first()).toHaveText('# Mine.', { timeout: 15_000 });
  await secondPage.getByRole('navigation').getByRole('link', { name: /^Runs/ }).click();
  await expect(first.file.getByRole('button', { name: 'Save', exact: true })).toBeVisible({
    timeout: 15_000,
  });
});

test('a window that is closed lets the next one edit at once', async ({ app, page, enter, context }) => {
  const firstPage = await context.newPage();
  await firstPage.goto(await linkTo(app, '/workflows/leads'));
  const first = onEditorScreen(firstPage);
  await editLine(firstPage, 3);
  await firstPage.keyboard.type('!');
  await expect(first.file).toContainText('stored');
  await firstPage.close();

  await enter('/workflows/leads');
  const second = onEditorScreen(page);
  await expect(second.lines.nth(2)).toHaveText('name: Score leads!');
  await expect(second.file.getByRole('button', { name: 'Save', exact: true })).toBeVisible();
  await expect(second.file).not.toContainText('Another window');
});

test('a file that is only read follows other programs, with the caret and the scroll where they were', async ({
  app,
  page,
  enter,
}) => {
  const long = `${leads}${Array.from({ length: 200 }, (_, n) => `# line ${n}\n`).join('')}`;
  await writeFile(fileOf(app.dataDir), long);
  await enter('/workflows/leads');
  const { file, editor } = onEditorScreen(page);
  await editLine(page, 120);
  const caretLine = editor.locator('.cm-line').filter({ hasText: /^# line 105$/ });
  const topOf = async () => Math.round((await caretLine.boundingBox())?.y ?? NaN);
  const before = await topOf();
  const added = '# one\n# two\n# three\n';
  await writeFile(fileOf(app.dataDir), added + long);
  await expect(file.locator('.cm-lineNumbers .cm-activeLineGutter')).toHaveText('123');
  await expect.poll(async () => Math.abs((await topOf()) - before)).toBeLessThan(3);
  await page.keyboard.type(' here');
  await expect(editor.locator('.cm-line').filter({ hasText: '# line 105 here' })).toBeVisible();
});
