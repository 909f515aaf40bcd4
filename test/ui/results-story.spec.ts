// From a CSV file of 5,003 contacts to an Excel workbook: a sample, the rest, failed rows fixed and compared, and a value of
// the workbook found again. After each step the page, the list, the command line and the file count the same rows. The
// expected rows are computed here, from the contacts.
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { sampleWorkflow } from '../../src-main/app/sample-workflow.ts';
import type { ChainCounts } from '../../src-main/contract/index.ts';
import { readWorkbook } from '../builders/read-workbook.ts';
import { runCli } from '../builders/run-cli.ts';
import type { TestApp } from '../builders/start-test-app.ts';
import { barriers, expect, linkTo, runList, startApp, test as base } from './in-app.ts';

const test = base.extend<{ app: TestApp }>({
  app: async ({}, use) => {
    const app = await startApp({ workflows: { 'score-leads': sampleWorkflow } });
    await use(app);
    await app.close();
  },
});

const count = 5_003;
const names = ['Ada Lovelace', '=SUM(A1)', '007', '李白', 'O\'Neill; "Jo"'];
const contacts = Array.from({ length: count }, (_, index) => ({
  name: `${names[index % names.length]} ${index + 1}`,
  user: `c${index + 1}`,
  /** An email without @, and a company size such as 7k, make rows fail. */
  hasNoAt: index % 64 === 5,
  hasWrongSize: index % 100 === 40,
  size: index % 100 === 40 ? 7_000 : index + 1,
}));
const wrongSizes = contacts.filter(({ hasWrongSize }) => hasWrongSize).length;
const failing = contacts.filter(({ hasNoAt, hasWrongSize }) => hasNoAt || hasWrongSize).length;

const cellOf = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const csv = [
  'Full name,E-Mail,Company size',
  ...contacts.map(({ name, user, hasNoAt, hasWrongSize, size }) =>
    [cellOf(name), `${user}${hasNoAt ? '(at)' : '@'}firm.example`, hasWrongSize ? '7k' : size].join(','),
  ),
].join('\n');

/** A row of the workbook once everything is fixed. */
const exportedRow = ({ name, user, size }: (typeof contacts)[number], index: number) => ({
  row: index + 1,
  'input.name': name,
  'input.email': `${user}@firm.example`,
  'input.employees': size,
  title: `${name} (0 tags)`,
  host: 'firm.example',
  label: size >= 100 ? 'hot' : size >= 10 ? 'warm' : 'cold',
});

const number = (value: number): string => value.toLocaleString('en-US');

async function cli(app: TestApp, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runCli([...args, '--data', app.dataDir]);
  expect([code, stderr.includes('rror')], stderr).toEqual([0, false]);
  return stdout;
}

/** The counts that the page, the list and the command line have are those of the lines of the file. */
async function expectSameCounts(
  app: TestApp,
  { page, list }: { page: Page; list: Page },
): Promise<ChainCounts> {
  const [newest] = await app.handlers['run.list']({ limit: 1 });
  const runId = newest?.runId ?? '';
  const file = (await cli(app, 'export', runId, '--format', 'ndjson', '--latest', '--failed')).trimEnd();
  const rows = file.split('\n').map((line) => JSON.parse(line) as { 'failed.node'?: string });
  const failed = rows.filter((row) => row['failed.node'] !== undefined).length;
  const done = rows.length - failed;
  const { chain } = JSON.parse(await cli(app, 'runs', 'show', runId, '--json')) as { chain: ChainCounts };
  expect(chain).toMatchObject({ rows: count, done, failed, open: count - done, source: 'contacts.csv' });
  const header = page.getByRole('region', { name: 'This run' });
  const open = chain.open === 0 ? '' : ` · ${number(chain.open)} open`;
  const attempts = chain.attempts === 1 ? '' : ` · ${chain.attempts} attempts`;
  await expect(header).toContainText(`${number(done)} of ${number(count)} done${open}${attempts}`);
  const listed = done === count ? number(count) : `${number(done)}\\s/\\s${number(count)}`;
  await expect(runList(list).row('contacts.csv')).toContainText(new RegExp(`[^/]\\s+${listed}\\s`));
  return chain;
}

test('5,003 contacts are sampled, run, fixed, compared, exported and found again in 24 clicks', async ({
  app,
  page,
  context,
  problems,
}) => {
  test.setTimeout(120_000);
  await page.addInitScript(() => Reflect.deleteProperty(window, 'showSaveFilePicker'));
  await page.goto(await linkTo(app));
  let clicks = 0;
  const click = async (target: Locator): Promise<void> => {
    clicks += 1;
    await target.click();
  };
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const item = (name: string | RegExp) => page.getByRole('menuitem', { name });
  const header = page.getByRole('region', { name: 'This run' });

  await click(button('New run'));
  await click(page.getByRole('option', { name: 'Score leads' }));
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), click(button('Choose file…'))]);
  await chooser.setFiles({ name: 'contacts.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
  await expect(page.getByRole('combobox', { name: /^email/ })).toHaveValue('E-Mail');
  // A pointer opens the list and chooses from it: two clicks.
  clicks += 2;
  await page.getByRole('combobox', { name: /^employees/ }).selectOption('Company size');
  await expect(page.getByText(`employees: ${wrongSizes} values are no numbers, such as 7k`)).toBeVisible();
  await click(button('Use 5,003 rows'));
  await click(button('Other ways to run'));
  await click(item(/^Try 10 random rows first/));
  await click(page.getByRole('dialog').getByRole('button', { name: 'Run 10 of 5,003 rows anyway' }));
  const list = await context.newPage();
  await list.goto(new URL('/runs', page.url()).href);
  await expect(button('Run the other 4,993 rows')).toBeEnabled();
  const sampled = await expectSameCounts(app, { page, list });
  expect(sampled).toMatchObject({ notRun: 4_993, attempts: 1 });

  await click(button('Run the other 4,993 rows'));
  await expect(header).toContainText(`· ${failing} open · 2 attempts`, { timeout: 60_000 });
  expect(await expectSameCounts(app, { page, list })).toMatchObject({ failed: failing, notRun: 0 });

  await click(button(`Fix ${failing} rows…`));
  const replaceAll = async (text: string, replacement: string): Promise<void> => {
    await page.getByRole('textbox', { name: 'Find' }).fill(text);
    await page.getByRole('textbox', { name: 'Replace with' }).fill(replacement);
    await click(button('Replace all'));
  };
  await click(button('Find and replace'));
  await replaceAll('(at)', '@');
  // Emails may hold a k as well: only the rows of this cause.
  await click(page.getByRole('group', { name: 'Failed because' }).getByRole('button', { name: /employees/ }));
  await replaceAll('k', '000');
  expect(await barriers(page)).toEqual([]);
  await click(button(new RegExp(`^Run ${failing} rows`)));
  await expect(header).toContainText('5,003 of 5,003 done · 3 attempts');
  expect(await expectSameCounts(app, { page, list })).toMatchObject({ done: count, open: 0 });

  await click(button('Compare with'));
  await click(item(/^The rows before this attempt/));
  await expect(
    page.getByRole('group', { name: 'Rows by result' }).getByRole('button', { name: /^Fixed/ }),
  ).toContainText(String(failing));
  // The button of the browser.
  clicks += 1;
  await page.goBack();

  await click(button('Export…'));
  const dialog = page.getByRole('dialog', { name: 'Export' });
  await expect(dialog.getByLabel('Format')).toHaveValue('xlsx');
  await expect(dialog.getByRole('radio', { name: /^Whole file 5,003 rows/ })).toBeChecked();
  expect(await barriers(page)).toEqual([]);
  const downloading = page.waitForEvent('download');
  await click(dialog.getByRole('button', { name: 'Export 5,003 rows' }));
  const download = await downloading;
  await expect(dialog).toBeHidden();
  expect(download.suggestedFilename()).toMatch(/^score-leads-\w{8}\.xlsx$/);
  const lines = (await readWorkbook(await readFile(await download.path()))).trim().split('\n');
  expect(lines.map((line): unknown => JSON.parse(line))).toEqual(contacts.map(exportedRow));

  await click(button('Search or run a command'));
  await page.keyboard.type('c4999@firm');
  await click(page.getByRole('option', { name: /Search “c4999@firm” in all rows$/ }));
  const found = page.getByRole('list', { name: 'Values found' }).getByRole('link');
  await expect(found).toHaveCount(1);
  await expect(found).toContainText('contacts.csv');
  await click(found);
  await expect(page.getByRole('complementary', { name: /^Row 4,999/ })).toBeVisible();
  expect(clicks).toBeLessThanOrEqual(24);
  expect(problems).toEqual([]);
});
