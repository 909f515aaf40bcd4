// An operator's walk without a spreadsheet: a CSV file is mapped and run, its failed rows are fixed and run again.
import type { Locator } from '@playwright/test';
import { sampleWorkflow } from '../../src-main/app/sample-workflow.ts';
import type { TestApp } from '../builders/start-test-app.ts';
import { barriers, expect, linkTo, startApp, test as base } from './in-app.ts';

const test = base.extend<{ app: TestApp }>({
  app: async ({}, use) => {
    const app = await startApp({ workflows: { 'score-leads': sampleWorkflow } });
    await use(app);
    await app.close();
  },
});

/** 500 contacts; eight have an email without @, and five a company size such as 7k. */
const contacts = Array.from({ length: 500 }, (_, index) => {
  const at = index % 64 === 5 ? '(at)' : '@';
  const size = index % 100 === 40 ? '7k' : String(index + 1);
  return `Contact ${index + 1},c${index + 1}${at}firm.example,${size}`;
});
const csv = ['Full name,E-Mail,Company size', ...contacts].join('\n');

test('a CSV file with failed rows is mapped, run, fixed and run again in 14 clicks', async ({
  app,
  page,
  problems,
}) => {
  await page.goto(await linkTo(app));
  let clicks = 0;
  const click = async (target: Locator): Promise<void> => {
    clicks += 1;
    await target.click();
  };
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const header = page.getByRole('region', { name: 'This run' });
  const causes = page.getByRole('group', { name: 'Failed because' });

  await click(button('New run'));
  await click(page.getByRole('option', { name: 'Score leads' }));
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), click(button('Choose file…'))]);
  await chooser.setFiles({ name: 'contacts.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
  await expect(page.getByRole('combobox', { name: /^email/ })).toHaveValue('E-Mail');
  // A pointer opens the list and chooses from it: two clicks.
  clicks += 2;
  await page.getByRole('combobox', { name: /^employees/ }).selectOption('Company size');
  await expect(page.getByText('employees: 5 values are no numbers, such as 7k')).toBeVisible();
  await click(button('Use 500 rows'));
  await click(button(/^Run 500 rows/));
  await click(page.getByRole('dialog').getByRole('button', { name: 'Run 500 rows anyway' }));
  await expect(header).toContainText('Completed, 13 failed');

  await click(button('Fix 13 rows…'));
  const replaceAll = async (text: string, replacement: string): Promise<void> => {
    await page.getByRole('textbox', { name: 'Find' }).fill(text);
    await page.getByRole('textbox', { name: 'Replace with' }).fill(replacement);
    await click(button('Replace all'));
  };
  await click(button('Find and replace'));
  await replaceAll('(at)', '@');
  // Emails may hold a k as well: only the rows of this cause.
  await click(causes.getByRole('button', { name: /employees/ }));
  await replaceAll('k', '000');
  expect(await barriers(page)).toEqual([]);
  await click(button(/^Run 13 rows/));
  await expect(header).toContainText('13 of 13 done');
  await expect(header).toContainText('500 of 500 done · 2 attempts');
  expect(clicks).toBeLessThanOrEqual(14);
  expect(problems).toEqual([]);
});
