// Help with writing the file in the editor: completions, fixes, definitions and references, with the keyboard alone.
import { readFile, writeFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { editLine, fileOf, onEditorScreen, test } from './editor-screen.ts';
import { barriers, expect, resize } from './in-app.ts';

/** Takes the completion. A list that has just opened ignores the key for 75 ms, for users who type on. */
async function accept(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 150)));
  await page.keyboard.press('Enter');
}

test('names are completed while typing and on Ctrl Space, and the text stays right', async ({
  page,
  enter,
  problems,
}) => {
  await enter('/workflows/leads');
  const { editor, lines } = onEditorScreen(page);
  const options = page.locator('.cm-tooltip-autocomplete').getByRole('option');
  await editLine(page, 11);
  await page.keyboard.type('\n    wh');
  await expect(options.filter({ hasText: 'when' })).toBeVisible();
  await accept(page);
  await expect(lines.nth(11)).toHaveText('    when: ');
  await page.keyboard.type('row.');
  await page.keyboard.press('Control+Space');
  await expect(options.first()).toContainText('email');
  await accept(page);
  await expect(lines.nth(11)).toHaveText('    when: row.email');
  await expect(editor).toBeFocused();
  await expect(options).toHaveCount(0);
  expect(problems).toEqual([]);
});

test('the help of a completion never lies over the list', async ({ app, page, enter }) => {
  // A value of many characters without a blank.
  const value = 'x'.repeat(150);
  const file = fileOf(app.dataDir);
  const text = await readFile(file, 'utf8');
  const field = 'email: { type: string }\n';
  await writeFile(file, text.replace(field, `${field}    testRows: [{ email: ${value} }]\n`));
  await app.services.workflows.refresh();
  await enter('/workflows/leads');
  const list = page.locator('.cm-tooltip-autocomplete > ul');
  const info = page.locator('.cm-completionInfo');
  await editLine(page, 12);
  await page.keyboard.type('\n    when: row.');
  await page.keyboard.press('Control+Space');
  for (const width of [1280, 900, 420]) {
    await resize(page, width);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+Space');
    await expect(info).toBeVisible();
    const [options, help] = [await list.boundingBox(), await info.boundingBox()];
    if (options === null || help === null) throw new Error('The list or its help is gone');
    const isNextTo = help.x >= options.x + options.width - 1 || help.x + help.width <= options.x + 1;
    const isAboveOrBelow = help.y >= options.y + options.height - 1 || help.y + help.height <= options.y + 1;
    expect(isNextTo || isAboveOrBelow, `${width} px`).toBe(true);
    expect(await info.evaluate((each) => each.scrollWidth <= each.clientWidth)).toBe(true);
  }
});

test('the line under the text shows the path and no comments', async ({ page, enter }) => {
  await enter('/workflows/leads');
  await editLine(page, 4);
  await page.keyboard.type('\n  # Rows come in here: one at a time.');
  const position = page.getByLabel('Position in the file');
  await page.keyboard.press('Home');
  await expect(position).toHaveText(/^\s*nodes\s*›\s*input\s*›\s*id\s*$/);
  await page.keyboard.press('End');
  await expect(position).toHaveText(/^\s*nodes\s*›\s*input\s*›\s*id\s*$/);
});

test('an issue is fixed from the list of issues and with Ctrl .', async ({ page, enter }) => {
  await enter('/workflows/leads/problems');
  const { issues, lines, editor } = onEditorScreen(page);
  await editLine(page, 3);
  await page.keyboard.type('\ncolour: red\nonRowError: skpi');
  await issues.getByRole('button', { name: 'Remove "colour"' }).click();
  await expect(lines.nth(3)).toHaveText('onRowError: skpi');
  await expect(issues.getByRole('button', { name: 'Change to "skip"' })).toBeVisible();
  expect(await barriers(page)).toEqual([]);
  await editor.focus();
  await page.keyboard.press('F8');
  await page.keyboard.press('Control+.');
  const dialog = page.getByRole('dialog', { name: 'Fix' });
  await expect(dialog).toBeVisible();
  expect(await barriers(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(lines.nth(3)).toHaveText('onRowError: skip');
  await page.keyboard.press('Control+z');
  await expect(lines.nth(3)).toHaveText('onRowError: skpi');
});

test('F12 selects the card and the lines of a node, and Shift F12 lists its references', async ({
  page,
  enter,
}) => {
  await enter('/workflows/leads');
  const screen = onEditorScreen(page);
  await editLine(page, 14);
  for (let n = 0; n < 10; n += 1) await page.keyboard.press('ArrowLeft');
  await expect(page.getByLabel('Position in the file')).toHaveText(
    /nodes\s*›\s*result\s*›\s*fields\s*›\s*host/,
  );
  await page.keyboard.press('F12');
  await expect(screen.card('lead')).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Shift+F12');
  const dialog = page.getByRole('dialog', { name: 'lead: 2 references' });
  await expect(dialog.getByRole('list').getByRole('button')).toHaveCount(2);
  expect(await barriers(page)).toEqual([]);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(screen.card('result')).toHaveAttribute('aria-selected', 'true');
  await expect(screen.editor).toBeFocused();
});
