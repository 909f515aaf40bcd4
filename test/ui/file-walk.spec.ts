// Files as operations people have them: from choosing the file to a run in which only rows with real faults fail, by
// pointer alone and without another program.
import type { Locator, Page } from '@playwright/test';
import { smallWorkbook } from '../builders/small-workbook.ts';
import { outputPath, type TestApp } from '../builders/start-test-app.ts';
import { expect, linkTo, startApp, test as base } from './in-app.ts';

const contacts = `rowbench: 1
id: contacts
name: Import contacts
onRowError: skip
nodes:
  - id: input
    type: input
    fields:
      customer_id: { type: string, required: true }
      name: { type: string, required: true }
      joined: { type: string }
      amount: { type: number }
  - { id: result, type: output, fields: { id: =row.customer_id, joined: =row.joined, amount: =row.amount } }
`;

const test = base.extend<{ app: TestApp }>({
  app: async ({}, use) => {
    const app = await startApp({ workflows: { contacts } });
    await use(app);
    await app.close();
  },
});

const rowCount = 5_000;

/** A semicolon file with a mark, title lines, two columns of one name, and three lines of semicolons. */
function contactsCsv(): Buffer {
  const lines = [
    'Kunden Export (final) v2;;;;;',
    'Stand: 21.11.2026;;;;;',
    'Customer ID;Full name;Joined on;Amount (EUR);Notes;Notes',
  ];
  for (let n = 1; n <= rowCount; n += 1) {
    const id = n % 1_250 === 600 ? '' : String(n).padStart(6, '0');
    const joined =
      n % 90 === 5
        ? `${String((n % 28) + 1).padStart(2, '0')}.12.2025`
        : `2024-03-${String((n % 28) + 1).padStart(2, '0')}`;
    const amount = n % 61 === 7 ? `${n},${(n % 90) + 10}` : n % 229 === 9 ? 'k.A.' : `${n}.${(n % 90) + 10}`;
    lines.push(`${id};Zoë Name ${n};${joined};${amount};first ${n};second ${n}`);
    if (n % 1_600 === 0) lines.push(';;;;;');
  }
  const pieces = lines.map((line, index) =>
    Buffer.from(`${line}\r\n`, index > 10 && index % 334 === 11 ? 'latin1' : 'utf8'),
  );
  return Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), ...pieces]);
}

/** Counts clicks. */
function pointer(page: Page) {
  let clicks = 0;
  return {
    clicks: () => clicks,
    click: async (target: Locator): Promise<void> => {
      clicks += 1;
      await target.click();
    },
    choose: async (file: Parameters<Locator['setInputFiles']>[0]): Promise<void> => {
      clicks += 1;
      const button = page.getByRole('button', { name: 'Choose a file…' });
      const [chooser] = await Promise.all([page.waitForEvent('filechooser'), button.click()]);
      await chooser.setFiles(file);
    },
  };
}

test('a damaged export of 5,000 rows runs in at most 10 clicks, and only its real faults fail', async ({
  app,
  page,
  problems,
}) => {
  await page.goto(await linkTo(app, '/workflows/contacts/run?view=file'));
  const { clicks, click, choose } = pointer(page);
  const cause = (name: RegExp) =>
    page.getByRole('list', { name: 'What stands out in the file' }).getByRole('button', { name });
  await choose({ name: 'kunden.csv', mimeType: 'text/csv', buffer: contactsCsv() });
  await expect(page.getByText('CSV · 5,000 rows')).toBeVisible();
  await expect(page.getByText('3 empty lines left out')).toBeVisible();
  await expect(page.getByText('15 lines are Windows-1252')).toBeVisible();
  await click(cause(/^Read as numbers: amount: 82 values like/));
  await click(cause(/^Make ISO: joined: 56 dates like \d\d\.12\.2025/));
  await click(cause(/^Leave empty: amount: 22 × k\.A\./));
  await click(page.getByRole('button', { name: 'Use 5,000 rows' }));
  await click(page.getByRole('button', { name: /^Run 5,000 rows/ }));
  await click(page.getByRole('dialog').getByRole('button', { name: 'Run 5,000 rows anyway' }));
  await expect(page.getByRole('region', { name: 'This run' })).toContainText('Completed, 4 failed');
  expect(clicks()).toBeLessThanOrEqual(10);
  expect(problems).toEqual([]);
  const [run] = await app.handlers['run.list']({ limit: 1 });
  const outputs = await outputsOf(app, run?.runId ?? '');
  expect(outputs.filter(({ joined }) => !/^\d{4}-\d\d-\d\d$/.test(String(joined)))).toEqual([]);
  expect(outputs.filter(({ amount }) => typeof amount === 'number')).toHaveLength(5_000 - 4 - 22);
  expect(outputs.find(({ id }) => id === '000007')).toMatchObject({ amount: 7.17 });
});

test('a workbook with a title and a nameless column runs in at most 10 clicks', async ({
  app,
  page,
  problems,
}) => {
  const text = (value: string): string => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
  const rows = [
    `<row>${text('Kunden, Stand 21.11.2026')}</row>`,
    '<row/>',
    `<row>${['Customer ID', 'Full name', '', 'Joined on', 'Amount (EUR)'].map(text).join('')}</row>`,
    ...Array.from(
      { length: 40 },
      (_, n) =>
        `<row>${text(n === 3 ? '' : `00${n}`)}${text(`Name ${n}`)}${text(`x${n}`)}${text('31.12.2025')}${n === 5 ? text('1.234,50') : `<c><v>${n}.5</v></c>`}</row>`,
    ),
  ];
  const buffer = await smallWorkbook({ sheets: [{ name: 'Kunden', rows: rows.join('') }] });
  await page.goto(await linkTo(app, '/workflows/contacts/run?view=file'));
  const { clicks, click, choose } = pointer(page);
  const cause = (name: RegExp) =>
    page.getByRole('list', { name: 'What stands out in the file' }).getByRole('button', { name });
  await choose({ name: 'kunden.xlsx', mimeType: 'application/octet-stream', buffer });
  await expect(page.getByText('Excel · 40 rows')).toBeVisible();
  await click(cause(/^Make ISO: joined: 40 dates like 31\.12\.2025/));
  await expect(page.getByText('amount: 1 value like 1.234,50 read as numbers')).toBeVisible();
  await click(page.getByRole('button', { name: 'Use 40 rows' }));
  await click(page.getByRole('button', { name: /^Run 40 rows/ }));
  await click(page.getByRole('dialog').getByRole('button', { name: 'Run 40 rows anyway' }));
  await expect(page.getByRole('region', { name: 'This run' })).toContainText('Completed, 1 failed');
  expect(clicks()).toBeLessThanOrEqual(10);
  expect(problems).toEqual([]);
  const [run] = await app.handlers['run.list']({ limit: 1 });
  const outputs = await outputsOf(app, run?.runId ?? '');
  expect(outputs.find(({ id }) => id === '005')).toEqual({ id: '005', joined: '2025-12-31', amount: 1234.5 });
});

/** Presses Tab until the target has the focus, then Enter. */
async function enterOn(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeEnabled();
  for (let presses = 0; presses < 100; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) break;
    await page.keyboard.press('Tab');
  }
  await expect(target).toBeFocused();
  await page.keyboard.press('Enter');
}

test('a damaged export runs by keyboard alone, from choosing the file to the finished run', async ({
  app,
  page,
  problems,
}) => {
  await page.goto(await linkTo(app, '/workflows/contacts/run?view=file'));
  const cause = (name: RegExp) =>
    page.getByRole('list', { name: 'What stands out in the file' }).getByRole('button', { name });
  const rows = Array.from({ length: 20 }, (_, n) => `00${n};Name ${n};31.12.2025;${n},50`);
  const lines = ['Export;;;', 'Customer ID;Full name;Joined on;Amount (EUR)', ...rows, '7;A;B;C;D;E'];
  const chooser = page.waitForEvent('filechooser');
  await enterOn(page, page.getByRole('button', { name: 'Choose a file…' }));
  const buffer = Buffer.from(lines.join('\n'));
  await (await chooser).setFiles({ name: 'kunden.csv', mimeType: 'text/csv', buffer });
  await expect(page.getByText('CSV · 21 rows')).toBeVisible();
  await enterOn(page, cause(/^Leave out: 1 line has more cells than the header/));
  await expect(page.getByText('CSV · 20 rows')).toBeVisible();
  await enterOn(page, cause(/^Make ISO: joined: 20 dates like/));
  await enterOn(page, page.getByRole('button', { name: 'Use 20 rows' }));
  await enterOn(page, page.getByRole('button', { name: /^Run 20 rows/ }));
  await expect(page.getByRole('region', { name: 'This run' })).toContainText('Completed');
  expect(problems).toEqual([]);
  const [run] = await app.handlers['run.list']({ limit: 1 });
  const outputs = await outputsOf(app, run?.runId ?? '');
  expect(outputs.find(({ id }) => id === '007')).toEqual({ id: '007', joined: '2025-12-31', amount: 7.5 });
});

/** Outputs of the rows that did not fail. */
async function outputsOf(app: TestApp, runId: string): Promise<readonly Record<string, unknown>[]> {
  const { body } = await app.call(outputPath('contacts', runId));
  const { data } = body as { data: Record<string, Record<string, unknown>> };
  return Object.values(data).filter((row) => typeof row['id'] === 'string');
}
