// Columns of files whose names differ from the workflow inputs.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { barriers, barriersInBothThemes, expect, test } from './in-app.ts';

const leads = `rowbench: 1
id: leads
name: Leads
nodes:
  - id: input
    type: input
    fields:
      name: { type: string, required: true }
      email: { type: string, required: true }
      employees: { type: number, required: true }
      tags: { type: array }
  - { id: result, type: output, after: [input], fields: { to: "=row.email" } }
`;

const csv =
  'Full name,E-Mail,Company size,Notes\nAda,ada@example.org,12,first\nGrace,grace@example.org,12k,\n';

test.beforeEach(async ({ app }) => {
  await writeFile(join(app.dataDir, 'workflows', 'leads.workflow.yaml'), leads);
  await app.services.workflows.refresh();
});

const choose = (page: Page, name: string, content: string): Promise<void> =>
  page
    .getByLabel('File of rows')
    .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(content) });

const input = (page: Page, name: RegExp) => page.getByRole('combobox', { name });

test('columns of a file feed the inputs that they resemble, and the user maps the others by keyboard', async ({
  page,
  enter,
}) => {
  await enter('/workflows/leads/run?view=file');
  await choose(page, 'people.csv', csv);
  await expect(input(page, /^name/)).toHaveValue('Full name');
  await expect(input(page, /^email/)).toHaveValue('E-Mail');
  await expect(input(page, /^employees/)).toHaveValue('');
  await expect(page.getByRole('status')).toContainText(['No column for employees (required), tags']);
  await expect(page.getByText('2 extra columns')).toBeVisible();
  expect(await barriersInBothThemes(page)).toEqual([]);
  await page.setViewportSize({ width: 700, height: 800 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(700);
  await input(page, /^employees/).focus();
  await page.keyboard.type('Comp');
  await page.keyboard.press('Tab');
  await expect(input(page, /^employees/)).toHaveValue('Company size');
  await expect(page.getByText('employees: 1 value is no number, such as 12k')).toBeVisible();
  await expect(page.getByRole('columnheader', { name: 'employees from Company size' })).toBeVisible();
  await page.getByRole('checkbox', { name: 'Notes' }).focus();
  await page.keyboard.press('Space');
  await expect(page.getByText('0 extra columns')).toBeVisible();
  await page.getByRole('button', { name: 'Use 2 rows' }).click();
  await page.getByRole('tab', { name: 'JSON' }).click();
  await expect(page.getByRole('textbox', { name: 'Rows as JSON' })).toHaveValue(
    '[\n  {"name":"Ada","email":"ada@example.org","employees":12},\n' +
      '  {"name":"Grace","email":"grace@example.org","employees":"12k"}\n]',
  );
});

test('a file whose columns have the names of the inputs needs no mapping', async ({ page, enter }) => {
  await enter('/workflows/leads/run?view=file');
  await choose(page, 'people.ndjson', '{"name":"Ada","email":"a@b.c","employees":1}\n{"tags":["x"]}\n');
  await expect(page.getByText('4 of 4 workflow inputs filled')).toBeVisible();
  await expect(input(page, /^name/)).toBeHidden();
  await expect(page.getByText('text (workflow input)')).toHaveCount(2);
});

test('a column of the grid that is renamed to the name of an empty column takes its place', async ({
  page,
  enter,
}) => {
  await enter('/workflows/leads/run?view=file');
  await choose(page, 'people.csv', 'Size,name,email\n12,Ada,ada@example.org\n');
  await page.getByRole('button', { name: 'Use 1 row' }).click();
  await expect(page.getByRole('button', { name: '1 problem' })).toBeVisible();
  await page.getByRole('columnheader', { name: /^Size/ }).dblclick();
  const dialog = page.getByRole('dialog', { name: 'Column Size' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('name');
  await expect(dialog.getByRole('alert')).toHaveText('Another column is named "name".');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('employees');
  await expect(dialog.getByText('Takes the place of the empty column "employees".')).toBeVisible();
  expect(await barriers(page)).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: '1 problem' })).toBeHidden();
  await expect(page.locator('p.count')).toContainText('1 row · 4 columns');
  await page.getByRole('grid', { name: 'Rows' }).focus();
  await page.keyboard.press('Control+z');
  await expect(page.locator('p.count')).toContainText('1 row · 5 columns');
});
