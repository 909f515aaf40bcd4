// Failed rows of a run in the grid: why each row failed, and the causes as filters.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { barriersInBothThemes, expect, test } from './in-app.ts';

const leads = `rowbench: 1
id: leads
name: Leads
onRowError: skip
nodes:
  - id: input
    type: input
    fields:
      email: { type: string, required: true }
      employees: { type: number }
  - id: email
    type: assert
    that: "=row.email.includes('@')"
    message: "{{ row.email }} is not an email address: no @"
    after: [input]
  - { id: result, type: output, after: [email], fields: { to: "=row.email" } }
`;

const screen = (page: Page) => ({
  grid: page.getByRole('grid', { name: 'Rows' }),
  numbers: page.getByRole('rowheader'),
  causes: page.getByRole('group', { name: 'Failed because' }),
  cell: (name: string | RegExp) => page.getByRole('gridcell', { name }),
  marked: page.locator('[role=gridcell][aria-invalid=true]'),
});

test.beforeEach(async ({ app, enter, page }) => {
  await writeFile(join(app.dataDir, 'workflows', 'leads.workflow.yaml'), leads);
  await app.services.workflows.refresh();
  const runId = await app.run('leads', [
    { email: 'ada@example.org', employees: 1 },
    { email: 'bo(at)example.org', employees: 2 },
    { email: 'cy@example.org', employees: '12k' },
    { email: 'di(at)\u202Eexample.org', employees: 4 },
    { email: 'ed@example.org', employees: 5 },
  ]);
  await expect.poll(async () => (await app.handlers['run.show']({ runId })).status).toBe('completed');
  await enter(`/workflows/leads/run?from=${runId}&rows=failed`);
  await expect(screen(page).numbers).toHaveText(['2', '3', '4', '+']);
});

test('each failed row says why it failed, and the cell at fault is marked until it changes', async ({
  page,
}) => {
  const { grid, causes, cell, marked } = screen(page);
  await expect(page.getByRole('columnheader', { name: 'Failed because' })).toBeVisible();
  await expect(cell('… is not an email address: no @')).toHaveCount(2);
  await expect(marked).toHaveCount(3);
  await expect(cell(/^di\(at\)U\+202Eexample\.org/)).toBeVisible();
  await expect(causes.getByRole('button')).toHaveText([
    'All rows',
    '… is not an email address: no @ 2',
    /employees.* 1$/,
  ]);
  expect(await barriersInBothThemes(page)).toEqual([]);
  await page.setViewportSize({ width: 700, height: 800 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(700);
  await grid.focus();
  await expect(page.getByText('row 2 failed in email: bo(at)example.org is not')).toBeVisible();
  await page.keyboard.type('bo@example.org');
  await page.keyboard.press('Enter');
  await expect(marked).toHaveCount(2);
  await expect(cell('bo@example.org')).toBeVisible();
  await page.keyboard.press('Control+z');
  await expect(marked).toHaveCount(3);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByRole('columnheader', { name: 'Failed because' })).toBeInViewport();
});

test('a cause filters the rows by keyboard; edits there leave the other rows alone', async ({
  app,
  page,
}) => {
  const { grid, numbers, causes } = screen(page);
  await causes.getByRole('button', { name: /no @/ }).press('Enter');
  await expect(numbers).toHaveText(['2', '4', '+']);
  await expect(page.locator('p.count')).toContainText('3 rows');
  await grid.focus();
  await page.keyboard.type('bo@example.org');
  await page.keyboard.press('Enter');
  await page.keyboard.type('di@example.org');
  await page.keyboard.press('Enter');
  await causes.getByRole('button', { name: /employees/ }).press('Space');
  await expect(numbers).toHaveText(['3', '+']);
  await grid.focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.type('12000');
  await page.keyboard.press('Enter');
  await causes.getByRole('button', { name: 'All rows' }).press('Enter');
  await expect(numbers).toHaveText(['2', '3', '4', '+']);
  await page.keyboard.press('Control+Enter');
  await expect(page).toHaveURL(/\/runs\//);
  const [rerun] = await app.handlers['run.list']({ limit: 1 });
  const runId = rerun?.runId ?? '';
  await expect.poll(async () => (await app.handlers['run.show']({ runId })).status).toBe('completed');
  expect(await app.handlers['run.show']({ runId })).toMatchObject({ rows: 3, rowsDone: 3 });
  await expect(page.getByRole('log')).toContainText('3 fixed');
});

test('one row of the chain is fixed from its panel with one click, and the toast says what came of it', async ({
  app,
  enter,
  page,
}) => {
  const [first] = await app.handlers['run.list']({ limit: 1 });
  const { run } = await app.services.runs.rerunWith(
    first?.runId ?? '',
    {},
    {
      what: { lines: '{"email":"bo(at)example.org","employees":2}\n', numbers: [2] },
      origin: { kind: 'app' },
    },
  );
  const { runId } = run;
  await expect.poll(async () => (await app.handlers['run.show']({ runId })).status).toBe('completed');
  await enter(`/runs/${first?.runId}`);
  const rows = page.getByRole('grid', { name: 'Rows' });
  await rows.getByRole('gridcell', { name: 'di(at)U+202Eexample.org', exact: true }).last().click();
  await page.getByRole('button', { name: 'Fix this row…' }).click();
  const { numbers, marked, grid } = screen(page);
  await expect(numbers).toHaveText(['4', '+']);
  await expect(marked).toContainText('di(at)U+202Eexample.org');
  await expect(marked).toHaveAttribute('aria-selected', 'true');
  await grid.focus();
  await page.keyboard.type('still not');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('log')).toContainText('0 fixed, 1 failed again');
});

test('the reasons are there after a reload, and gone once the rows are detached from their run', async ({
  page,
}) => {
  const { numbers, causes, marked, grid } = screen(page);
  await grid.focus();
  const saved = page.waitForResponse(
    (answer) => answer.url().includes('draft=yes') && answer.request().method() === 'POST' && answer.ok(),
  );
  await page.keyboard.type('bo@example.org');
  await page.keyboard.press('Enter');
  await saved;
  await page.reload();
  await expect(numbers).toHaveText(['2', '3', '4', '+']);
  await expect(causes.getByRole('button')).toHaveCount(3);
  await expect(marked).toHaveCount(2);
  await page.getByRole('button', { name: 'Detach from that run' }).click();
  await expect(causes).toBeHidden();
  await expect(page.getByRole('columnheader', { name: 'Failed because' })).toBeHidden();
  await expect(marked).toHaveCount(1);
});

const money = `rowbench: 1
id: money
name: Money
onRowError: skip
nodes:
  - { id: input, type: input, fields: { customer_id: { type: string }, name: { type: string }, amount: { type: number } } }
  - id: sign
    type: code
    code: |
      if (row.amount < 0) throw new Error(\`The amount of \${row.customer_id} is negative\`);
      return row.amount;
  - id: lookup
    type: code
    after: [sign]
    code: |
      if (row[row.name] === 1) throw new Error(\`Nothing is known of \${row.customer_id}\`);
  - { id: result, type: output, after: [lookup], fields: { to: "=row.name" } }
`;

test('the field that the failed node read is marked, none if none is certain, and the cursor begins there', async ({
  app,
  enter,
  page,
}) => {
  await writeFile(join(app.dataDir, 'workflows', 'money.workflow.yaml'), money);
  await app.services.workflows.refresh();
  const runId = await app.run('money', [
    { customer_id: '000025', name: 'x', x: 1, amount: 5 },
    { customer_id: '000026', name: 'y', amount: -5 },
    { customer_id: '000027', name: 'z', amount: 7 },
  ]);
  await expect.poll(async () => (await app.handlers['run.show']({ runId })).status).toBe('completed');
  await enter(`/workflows/money/run?from=${runId}&rows=failed`);
  const { numbers, marked } = screen(page);
  await expect(numbers).toHaveText(['1', '2', '+']);
  await expect(marked).toHaveCount(1);
  await expect(marked).toContainText('-5');
  await expect(marked).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.type('5');
  await page.keyboard.press('Enter');
  await expect(marked).toHaveCount(0);
});

test('the rows that were changed run, all of them on request, and undo takes a change back', async ({
  app,
  page,
}) => {
  const { grid, causes } = screen(page);
  const bar = page.locator('p.count');
  const run = page.getByRole('group', { name: 'Run' }).getByRole('button').first();
  await expect(run).toContainText('Run 3 rows again');
  await grid.focus();
  await page.keyboard.type('bo@example.org');
  await page.keyboard.press('Enter');
  await expect(run).toContainText('Run 1 changed row');
  await expect(bar).toContainText('1 changed');
  await expect(causes.getByRole('button', { name: /no @/ })).toContainText('1 changed of 2');
  await expect(page.getByRole('gridcell', { name: /^Changed, was: … is not an email/ })).toHaveCount(1);
  expect(await barriersInBothThemes(page)).toEqual([]);
  await page.keyboard.press('Control+z');
  await expect(run).toContainText('Run 3 rows again');
  await expect(bar).not.toContainText('changed');
  // A cell that is as it ran again is no change, whatever was typed before.
  await page.keyboard.type('x');
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.type('bo(at)example.org');
  await page.keyboard.press('Enter');
  await expect(run).toContainText('Run 3 rows again');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.type('di@example.org');
  await page.keyboard.press('Enter');
  await expect(run).toContainText('Run 1 changed row');
  // Row 3, which is as it ran, still has a problem; it is not among the rows that run.
  await run.click();
  await expect(page).toHaveURL(/\/runs\//);
  const [rerun] = await app.handlers['run.list']({ limit: 1 });
  expect(rerun?.rows).toBe(1);
  await page.goBack();
  await expect(bar).toContainText('1 changed');
  await page.getByRole('button', { name: 'Other ways to run' }).click();
  await page.getByRole('menuitem', { name: 'Run all 3 rows' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Run 3 rows anyway' }).click();
  await expect.poll(async () => (await app.handlers['run.list']({ limit: 1 }))[0]?.rows).toBe(3);
});
