// Find and replace in the grid, by keyboard alone.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { all, paste } from './clipboard.ts';
import { barriersInBothThemes, expect, test } from './in-app.ts';

const leads = `rowbench: 1
id: leads
name: Leads
nodes:
  - id: input
    type: input
    fields:
      email: { type: string, required: true }
      employees: { type: number }
      note: { type: string }
  - { id: result, type: output, after: [input], fields: { to: "=row.email" } }
`;

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

const screen = (page: Page) => ({
  grid: page.getByRole('grid', { name: 'Rows' }),
  bar: page.getByRole('search', { name: 'Find and replace' }),
  find: page.getByRole('textbox', { name: 'Find' }),
  replacement: page.getByRole('textbox', { name: 'Replace with' }),
  state: page.getByRole('search').getByRole('status'),
  selected: page.locator('[role=gridcell][aria-selected=true]'),
});

test.beforeEach(async ({ app, enter, page }) => {
  await writeFile(join(app.dataDir, 'workflows', 'leads.workflow.yaml'), leads);
  await app.services.workflows.refresh();
  await enter('/workflows/leads/run');
  await expect(screen(page).grid).toBeFocused();
});

test('a text is found from match to match, and replaced in one step that is undone', async ({ page }) => {
  const { bar, find, replacement, state, selected, grid } = screen(page);
  await paste(page, 'a(at)b.c\t12k\t(AT) home\nd@e.f\t7\t\ng(at)h.i\t9k\tx');
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Control+f');
  await expect(find).toBeFocused();
  await page.keyboard.type('(at)');
  await expect(state).toHaveText('1 of 3');
  await page.keyboard.press('Enter');
  await expect(state).toHaveText('2 of 3');
  await expect(selected).toHaveText('(AT) home');
  await page.keyboard.press('Shift+Enter');
  await expect(selected).toHaveText('a(at)b.c');
  await page.keyboard.press('Shift+Enter');
  await expect(selected).toHaveText('g(at)h.i');
  expect(await barriersInBothThemes(page)).toEqual([]);
  await page.setViewportSize({ width: 700, height: 800 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(700);
  await page.getByRole('checkbox', { name: 'Match case' }).press('Space');
  await expect(state).toHaveText('2 of 2');
  await find.press('Control+h');
  await expect(replacement).toBeFocused();
  await page.keyboard.type('@');
  await page.keyboard.press('Alt+Enter');
  await expect(state).toHaveText('Replaced in 2 cells.');
  await page.keyboard.press('Escape');
  await expect(bar).toBeHidden();
  await expect(grid).toBeFocused();
  expect(await all(page)).toBe('a@b.c\t12k\t(AT) home\nd@e.f\t7\t\ng@h.i\t9k\tx');
  await page.keyboard.press('Control+z');
  expect(await all(page)).toBe('a(at)b.c\t12k\t(AT) home\nd@e.f\t7\t\ng(at)h.i\t9k\tx');
});

test('a text is replaced in a column or in the selection, and numbers are numbers again', async ({
  page,
}) => {
  const { find, replacement, state } = screen(page);
  await paste(page, 'a@b.c\t12k\tk\nd@e.f\t7k\tk\ng@h.i\t9k\tk');
  await expect(page.getByRole('button', { name: '3 problems' })).toBeVisible();
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Control+h');
  await expect(page.getByRole('combobox', { name: 'Search in' })).toHaveValue('selection');
  await find.fill('k');
  await expect(state).toHaveText('1 of 2');
  await replacement.fill('000');
  await replacement.press('Enter');
  await expect(page.getByRole('button', { name: '2 problems' })).toBeVisible();
  await page.getByRole('combobox', { name: 'Search in' }).selectOption({ label: 'Column employees' });
  await replacement.press('Alt+Enter');
  await expect(state).toHaveText('Replaced in 2 cells.');
  await expect(page.getByRole('button', { name: /problem/ })).toBeHidden();
  await page.getByRole('search').getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('button', { name: '2 problems' })).toBeVisible();
  await replacement.press('Escape');
  expect(await all(page)).toBe('a@b.c\t12000\tk\nd@e.f\t7k\tk\ng@h.i\t9k\tk');
});

test('the menu of the grid opens find and replace', async ({ page }) => {
  const { find } = screen(page);
  await paste(page, 'a@b.c\t1');
  await page.keyboard.press('Shift+F10');
  await page.getByRole('menuitem', { name: 'Find and replace…' }).click();
  await expect(find).toBeFocused();
});
