// Tables pasted with a first line of column names into a grid that has rows.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { all, paste } from './clipboard.ts';
import { barriers, expect, test } from './in-app.ts';

const leads = `rowbench: 1
id: leads
name: Leads
onRowError: skip
nodes:
  - id: input
    type: input
    fields:
      name: { type: string }
      email: { type: string, required: true }
  - { id: email, type: assert, that: "=row.email.includes('@')", message: "not an email address", after: [input] }
  - { id: result, type: output, after: [email], fields: { to: "=row.email" } }
`;

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

const screen = (page: Page) => ({
  grid: page.getByRole('grid', { name: 'Rows' }),
  numbers: page.getByRole('rowheader'),
  ask: page.getByRole('dialog', { name: 'Paste a table' }),
  count: page.locator('p.count'),
});

test.beforeEach(async ({ app, enter, page }) => {
  await writeFile(join(app.dataDir, 'workflows', 'leads.workflow.yaml'), leads);
  await app.services.workflows.refresh();
  const runId = await app.run('leads', [
    { name: 'Ada', email: 'a@b.c' },
    { name: 'Bo', email: 'b@b.c' },
    { name: 'Cy', email: 'cy' },
  ]);
  await expect.poll(async () => (await app.handlers['run.show']({ runId })).status).toBe('completed');
  await enter(`/workflows/leads/run?from=${runId}&rows=failed`);
  const { numbers, grid } = screen(page);
  await expect(numbers).toHaveText(['3', '+']);
  await grid.focus();
});

test('the first line of a pasted CSV is never a row: its rows are appended, numbered in order, and taken back', async ({
  page,
}) => {
  const { numbers, ask, count, grid } = screen(page);
  await paste(page, 'name,email,phone\nDi,d@b.c,1\nEd,e@b.c,2\n');
  await expect(ask).toBeVisible();
  expect(await barriers(page)).toEqual([]);
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(count).toContainText('3 rows · 3 columns');
  await expect(numbers).toHaveText(['1', '2', '3', '+']);
  await expect(page.getByText('Appended 2 rows.')).toBeVisible();
  await expect(grid).toBeFocused();
  expect(await all(page)).toBe('Cy\tcy\t\nDi\td@b.c\t1\nEd\te@b.c\t2');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(count).toContainText('1 row · 2 columns');
  await expect(numbers).toHaveText(['3', '+']);
  await expect(page.getByText('Appended')).toBeHidden();
});

test('a pasted table replaces the rows, and as many rows keep their numbers', async ({ page }) => {
  const { numbers, ask, grid } = screen(page);
  await paste(page, 'E-Mail\tName\ncy@b.c\tCy');
  await expect(ask).toContainText('Paste 1 row?');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Replaced 1 row with 1 row.')).toBeVisible();
  await expect(numbers).toHaveText(['3', '+']);
  await expect(page.getByText('rows keep their numbers')).toBeVisible();
  expect(await all(page)).toBe('Cy\tcy@b.c');
  await expect(grid).toBeFocused();
  await page.keyboard.press('Control+z');
  expect(await all(page)).toBe('Cy\tcy');
});

test('a pasted table goes to the selected row if the user wants that, and Escape pastes nothing', async ({
  page,
}) => {
  const { numbers, ask, count } = screen(page);
  await page.setViewportSize({ width: 700, height: 800 });
  await paste(page, 'email\tname\nd@b.c\tDi\ne@b.c\tEd');
  await expect(ask).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(ask).toBeHidden();
  await expect(count).toContainText('1 row ');
  await paste(page, 'email\tname\nd@b.c\tDi\ne@b.c\tEd');
  await ask.getByRole('button', { name: 'Paste here' }).click();
  expect(await all(page)).toBe('Di\td@b.c\nEd\te@b.c');
  await expect(numbers).toHaveText(['1', '2', '+']);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Detach from that run' }).click();
  await expect(numbers).toHaveText(['1', '+']);
});
