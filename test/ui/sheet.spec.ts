// The grid of row entry: worked by keys, pointer and clipboard as a spreadsheet is.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { scrollCost } from './frames.ts';
import { all, paste } from './clipboard.ts';
import { barriers, expect, test } from './in-app.ts';

const leads = `rowbench: 1
id: leads
name: Leads
nodes:
  - id: input
    type: input
    fields:
      email: { type: string, required: true, description: Where to write to }
      age: { type: number }
      tags: { type: array }
  - { id: result, type: output, after: [input], fields: { to: "=row.email" } }
`;

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

test.beforeEach(async ({ app, enter, page }) => {
  await writeFile(join(app.dataDir, 'workflows', 'leads.workflow.yaml'), leads);
  await app.services.workflows.refresh();
  await enter('/workflows/leads/run');
  await expect(page.getByRole('grid', { name: 'Rows' })).toBeVisible();
});

const sheet = (page: Page) => ({
  grid: page.getByRole('grid', { name: 'Rows' }),
  cells: page.getByRole('gridcell'),
  cell: (text: string) => page.getByRole('gridcell', { name: text, exact: true }),
  head: (name: RegExp) => page.getByRole('columnheader', { name }),
  verb: (name: string) => page.getByRole('menuitem', { name }),
  count: page.locator('p.count'),
});

async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

test('rows are typed by the keys alone, and Enter leads back to where Tab began', async ({ page }) => {
  const { grid, count, cell } = sheet(page);
  await grid.focus();
  // Letters that are verbs of the page elsewhere are text here.
  await page.keyboard.type('grw?/');
  await press(page, 'Enter');
  await expect(page).toHaveURL(/\/workflows\/leads\/run/);
  await expect(cell('grw?/')).toBeVisible();
  await press(page, 'Control+z');
  await expect(count).toContainText('0 rows');
  await press(page, 'Control+Home');
  await page.keyboard.type('ada@example.org');
  await press(page, 'Tab');
  await page.keyboard.type('36');
  await press(page, 'Tab');
  await page.keyboard.type('["a", "b"]');
  await press(page, 'Enter');
  await page.keyboard.type('grüße@example.org');
  await press(page, 'Enter');
  await expect(count).toContainText('2 rows · 3 columns');
  await expect(grid).toBeFocused();
  await press(page, 'ArrowUp', 'F2');
  await page.keyboard.type('!');
  await press(page, 'Enter', 'ArrowUp', 'x', 'Escape');
  expect(await all(page)).toBe('ada@example.org\t36\t["a","b"]\ngrüße@example.org!\t\t');
  await press(page, 'Control+z', 'Control+z');
  await expect(count).toContainText('1 row ');
  await press(page, 'Control+Shift+z', 'Control+y');
  expect(await all(page)).toBe('ada@example.org\t36\t["a","b"]\ngrüße@example.org!\t\t');
});

test('rows are pasted on arrival, and from a button, without a way into the sheet', async ({ page }) => {
  const { grid, count } = sheet(page);
  await expect(grid).toBeFocused();
  await paste(page, 'email\tage\nada@example.com\t36');
  await expect(count).toContainText('1 row');
  await press(page, 'Control+z');
  await expect(count).not.toContainText('1 row');
  await page.getByRole('tab', { name: 'Grid' }).focus();
  await paste(page, 'email\tage\nada@example.com\t36');
  await expect(count).toContainText('1 row');
});

test('a block from a spreadsheet is pasted by its names, and one step takes it back', async ({ page }) => {
  const { grid, count, head, cell } = sheet(page);
  await grid.focus();
  await paste(page, 'age\tname\temail\r\n36\tAda\t"two\r\nlines"\r\nold\tمحمد 🦊\t\r\n');
  await expect(count).toContainText('2 rows · 4 columns');
  await expect(head(/^name/)).toContainText('extra column');
  await expect(cell('محمد 🦊')).toBeVisible();
  await page.getByRole('button', { name: '2 problems' }).click();
  const problems = page.getByRole('list', { name: 'Problems' });
  await expect(problems).toContainText('age is not a number');
  const cause = problems.getByRole('button', { name: 'email is missing (required) row 2' });
  await cause.click();
  await expect(cause).toHaveAttribute('aria-pressed', 'true');
  await expect(grid).toBeFocused();
  await expect(cell('Ada')).toHaveCount(0);
  await expect(cell('محمد 🦊')).toBeVisible();
  await page.keyboard.type('m@example.org');
  await press(page, 'Tab');
  await page.keyboard.type('44');
  await press(page, 'Enter');
  await expect(page.getByRole('button', { name: /^\d+ problem/ })).toBeHidden();
  // A row that is fixed stays in sight until the user asks for all rows.
  await expect(cell('Ada')).toHaveCount(0);
  await page.getByRole('button', { name: 'Show all rows' }).click();
  await expect(cell('Ada')).toBeVisible();
  expect(await all(page)).toBe('"two\r\nlines"\t36\t\tAda\nm@example.org\t44\t\tمحمد 🦊');
  await press(page, 'Control+z', 'Control+z', 'Control+z');
  await expect(count).toContainText('0 rows · 3 columns');
});

test('CSV text is split into its columns, and goes into one column where that is wanted', async ({
  page,
}) => {
  const { grid, count, cell } = sheet(page);
  await grid.focus();
  await paste(page, 'email;age\nada@example.org;36\n"g;h@example.org";85');
  await expect(count).toContainText('2 rows · 3 columns');
  await expect(page.getByText('Split at semicolons into 2 columns.')).toBeVisible();
  expect(await all(page)).toBe('ada@example.org\t36\t\ng;h@example.org\t85\t');
  await press(page, 'Control+Home');
  await page.getByRole('button', { name: 'Keep as one column' }).press('Enter');
  await expect(cell('email;age')).toBeVisible();
  await expect(count).toContainText('3 rows');
  await expect(grid).toBeFocused();
  await expect(page.getByText('Split at')).toBeHidden();
});

test('a sheet that is cleared whole has no rows, and says how to fill it', async ({ page }) => {
  const { grid, count, cell } = sheet(page);
  await grid.focus();
  await paste(page, 'a\t1\nb\t2');
  await press(page, 'Control+a', 'Delete');
  await expect(count).toContainText('0 rows');
  await expect(page.getByRole('button', { name: 'Choose file…' })).toBeVisible();
  await press(page, 'c', 'Enter');
  await expect(count).toContainText('1 row ');
  await press(page, 'Control+z', 'Control+z');
  await expect(cell('b')).toBeVisible();
});

test('cells are filled, cut, cleared and pasted over a selection', async ({ page }) => {
  const { grid } = sheet(page);
  await grid.focus();
  await paste(page, 'a\t1\nb\t2\nc\t3');
  await press(page, 'Control+Home', 'Shift+ArrowDown', 'Control+d');
  expect(await all(page)).toBe('a\t1\t\na\t2\t\nc\t3\t');
  await press(page, 'Control+Home', 'Control+c', 'Shift+ArrowDown', 'Shift+ArrowDown', 'Control+v');
  expect(await all(page)).toBe('a\t1\t\na\t2\t\na\t3\t');
  await press(page, 'Control+Home', 'ArrowRight', 'Control+x', 'ArrowDown', 'Delete');
  expect(await all(page)).toBe('a\t\t\na\t\t\na\t3\t');
  const handle = await page.locator('[data-fill]').boundingBox();
  await press(page, 'Control+Home');
  const from = await page.locator('[data-fill]').boundingBox();
  if (handle === null || from === null) throw new Error('no handle');
  await press(page, 'z', 'Enter', 'Control+Home');
  await page.mouse.move(from.x + 4, from.y + 4);
  await page.mouse.down();
  await page.mouse.move(from.x + 4, from.y + 32, { steps: 3 });
  await page.mouse.up();
  expect(await all(page)).toBe('z\t\t\nz\t\t\na\t3\t');
});

test('the menu opens by key and pointer, and does its verbs to what is selected', async ({ page }) => {
  const { grid, verb, head, count } = sheet(page);
  await grid.focus();
  await paste(page, 'b\t2\na\t10\nc\t');
  await press(page, 'Control+Home', 'Shift+F10');
  await expect(verb('Edit')).toBeFocused();
  await press(page, 'Escape');
  await expect(grid).toBeFocused();
  await head(/^email/).click({ button: 'right' });
  await verb('Sort rows A to Z').click();
  expect(await all(page)).toBe('a\t10\t\nb\t2\t\nc\t\t');
  await press(page, 'Control+Home');
  await page.getByRole('rowheader', { name: '2', exact: true }).click({ button: 'right' });
  await verb('Remove row').click();
  await expect(count).toContainText('2 rows');
  await press(page, 'Control+Home', 'Shift+Alt+ArrowDown', 'Shift+Alt+ArrowRight');
  expect(await all(page)).toBe('\tc\t\n10\ta\t');
  await head(/^tags/).click({ button: 'right' });
  await verb('Insert column right').click();
  await head(/^column 4/).dblclick();
  await page.getByRole('textbox', { name: 'Name' }).fill('email');
  await expect(page.getByRole('alert')).toContainText('Another column is named "email".');
  await page.getByRole('textbox', { name: 'Name' }).fill('الاسم');
  await page.getByRole('combobox', { name: 'Type' }).selectOption('boolean');
  await press(page, 'Enter');
  await expect(head(/^الاسم/)).toContainText('Yes or no');
  await expect(grid).toBeFocused();
});

test('a nested value is edited as JSON, with what is wrong, and Escape asks before it drops a change', async ({
  page,
}) => {
  const { grid, cell } = sheet(page);
  await grid.focus();
  await page.keyboard.type('a');
  await press(page, 'Enter', 'ArrowUp', 'End', 'Enter');
  const editor = page.getByRole('dialog', { name: 'tags, row 1' });
  const text = editor.getByRole('textbox');
  await expect(text).toBeFocused();
  await press(page, 'Escape');
  await expect(editor).toBeHidden();
  await press(page, 'Enter');
  await text.fill('["a"]');
  await press(page, 'Escape');
  await expect(editor.getByRole('alert')).toHaveText('Discard the changed value?');
  await press(page, 'Escape');
  await expect(text).toBeFocused();
  await expect(text).toHaveValue('["a"]');
  await press(page, 'Escape', 'Tab', 'Enter');
  await expect(editor).toBeHidden();
  await expect(grid).toBeFocused();
  await expect(cell('1 item')).toHaveCount(0);
  await press(page, 'Enter');
  await text.fill('["a",\n {"deep": 1]');
  await expect(editor.getByRole('alert')).toContainText('Line 2, column 12: expected "," or "}"');
  await expect(editor.getByRole('button', { name: 'Save' })).toBeDisabled();
  expect(await barriers(page)).toEqual([]);
  await text.fill('["a", {"deep": 1}]');
  await press(page, 'Control+Enter');
  await expect(editor).toBeHidden();
  await expect(cell('2 items')).toBeVisible();
  await expect(grid).toBeFocused();
});

test('it is one stop for Tab, says where it is, has no barrier, and shows scripts as text', async ({
  page,
}) => {
  const { grid, cells } = sheet(page);
  await grid.focus();
  await paste(page, 'a\told\n\t2');
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    expect(await barriers(page)).toEqual([]);
  }
  await press(page, 'Control+Home');
  const active = page.locator(`[id="${await grid.getAttribute('aria-activedescendant')}"]`);
  await expect(active).toHaveAttribute('aria-colindex', '2');
  await expect(grid).toHaveAttribute('aria-rowcount', '4');
  await press(page, 'Tab');
  await expect(grid).toBeFocused();
  await press(page, 'F2');
  await expect(page.getByRole('textbox', { name: 'age, row 1' })).toBeFocused();
  await press(page, 'Escape', 'Escape', 'Shift+Tab');
  await expect(grid).not.toBeFocused();
  await press(page, 'Tab');
  await expect(grid).toBeFocused();
  await press(page, 'Tab');
  await expect(grid).not.toBeFocused();
  await grid.focus();
  await press(page, 'Control+Home');
  // A megabyte is cut to what is seen.
  await paste(page, `<img src=x onerror="document.title='owned'">\t\t\n${'x'.repeat(1_000_000)}`);
  await expect(cells.first()).toContainText('<img');
  expect((await grid.innerHTML()).length).toBeLessThan(50_000);
  expect(await page.title()).not.toBe('owned');
});

test(
  '100,000 rows are pasted, walked, scrolled and taken back without a wait',
  { tag: '@measured' },
  async ({ page }) => {
    const { grid, count, cells } = sheet(page);
    await grid.focus();
    const line = (_: unknown, n: number) => `a${n}@example.org\t${n}\t["a"]\tAda Lovelace\ttrue`;
    const text = Array.from({ length: 100_000 }, line).join('\n');
    await page.evaluate((value) => navigator.clipboard.writeText(value), text);
    const before = Date.now();
    await press(page, 'Control+v');
    await expect(count).toContainText('100,000 rows · 5 columns');
    expect(Date.now() - before).toBeLessThan(4_000);
    await press(page, 'Control+End');
    await expect(page.getByRole('rowheader', { name: '100000', exact: true })).toBeVisible();
    expect(await cells.count()).toBeLessThan(400);
    await press(page, 'Home', 'x', 'Enter');
    await expect(page.getByRole('gridcell', { name: 'x', exact: true })).toBeVisible();
    const { perSecond, costMs } = await scrollCost(page, page.locator('.scroll'), 300);
    process.stdout.write(`      ${perSecond.toFixed(0)} frames a second, ${costMs.toFixed(1)} ms each\n`);
    expect(costMs).toBeLessThan(20);
    await press(page, 'Control+z', 'Control+z');
    await expect(count).toContainText('0 rows · 3 columns');
  },
);
