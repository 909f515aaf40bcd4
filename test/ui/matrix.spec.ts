import type { Page } from '@playwright/test';
import { barriers, expect, linkTo, startApp, test as base } from './in-app.ts';

const leads = `rowbench: 1
id: leads
onRowError: skip
nodes:
  - { id: input, type: input }
  - { id: company, type: delay, when: "=row.n % 5 !== 3", for: "=row.wait ?? '1ms'" }
  - id: score
    type: code
    after: [company]
    code: |
      console.log('scoring', row.name);
      if (row.n % 40 === 7) throw new Error('HTTP 500 from GET https://example.com/companies');
      return { score: row.n };
  - { id: result, type: output, fields: { score: "=nodes.score.score" } }
`;
const wide = `rowbench: 1
id: wide
nodes:
  - { id: input, type: input }
${Array.from({ length: 60 }, (_, n) => `  - { id: step_${n}, type: set, values: { n: ${n} } }`).join('\n')}
  - { id: result, type: output, fields: { n: "=row.n" } }
`;

const test = base.extend({
  app: async ({}, use) => {
    const app = await startApp({ workflows: { leads, wide } });
    await use(app);
    await app.close();
  },
});

const rows = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, n) => ({ n: n + 1, name: 'Ada Lovelace', ...more }));

/** The matrix as a person meets it. */
const matrix = (page: Page) => ({
  grid: page.getByRole('grid', { name: 'Rows by nodes' }),
  cell: (row: number, name: RegExp | string) =>
    page.locator(`[role=row][aria-rowindex="${row + 1}"]`).getByRole('gridcell', { name }),
  head: (name: RegExp | string) => page.getByRole('rowheader', { name }),
  panel: page.getByRole('complementary', { name: /^Row/ }),
  filter: (name: RegExp) => page.getByRole('group', { name: 'Rows shown' }).getByRole('button', { name }),
});

test('a run is seen row by node, and the panel follows the keys to the cause', async ({
  app,
  page,
  enter,
}) => {
  const runId = await app.run('leads', rows(100));
  await enter(`/runs/${runId}/matrix`);
  const { grid, cell, head, panel } = matrix(page);
  await expect(cell(7, 'score: failed')).toBeVisible();
  await expect(cell(7, 'result: not reached')).toBeVisible();
  await expect(cell(3, 'company: skipped')).toHaveText('skipped');
  await expect(cell(4, /^company: done, [\d.]+ ms$/)).toBeVisible();
  await expect(head(/^Row 7, Ada Lovelace: failed/)).toBeVisible();
  await expect(grid).toBeFocused();
  await page.keyboard.press('n');
  await expect(panel).toContainText('HTTP 500 from GET https://example.com/companies');
  await expect(panel.getByRole('group', { name: 'Value of input in row 7' })).toContainText('Ada Lovelace');
  await expect(panel).toContainText('scoring Ada Lovelace');
  await expect(panel).toContainText('Line 12 of the workflow file');
  await expect(panel.getByRole('region', { name: 'Node score in the workflow file' })).toContainText(
    "throw new Error('HTTP 500",
  );
  await expect(grid).toBeFocused();
  await expect.poll(() => page.url()).toContain('row=7&node=score');
  await page.keyboard.press('ArrowLeft');
  await expect(panel.getByRole('heading', { level: 2 })).toHaveText('Row 7 · company');
  await page.keyboard.press('j');
  await expect(panel.getByRole('heading', { level: 2 })).toHaveText('Row 8 · company');
  await expect(panel).toContainText('Skipped');
  await page.keyboard.press('Control+ArrowLeft');
  await expect(panel).toContainText('Nodes, one after the other');
  await page.keyboard.press('Escape');
  await expect(panel).toBeHidden();
  await expect(grid).toBeFocused();
});

test('a run that is opened from the list takes the keys at once, and Escape leaves it only when idle', async ({
  app,
  page,
  enter,
}) => {
  const runId = await app.run('leads', rows(100));
  await expect.poll(async () => (await app.handlers['run.show']({ runId })).status).toBe('completed');
  await enter('/');
  const { grid, head, panel } = matrix(page);
  const list = page.getByRole('grid', { name: 'Runs' });
  await expect(list).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('grid', { name: 'Rows', exact: true })).toBeFocused();
  await page.getByRole('tab', { name: 'Matrix' }).click();
  await grid.focus();
  await page.keyboard.press('n');
  await expect(panel.getByRole('heading', { level: 2 })).toHaveText('Row 7 · score');
  await page.keyboard.press('/');
  await page.keyboard.type('60');
  await page.keyboard.press('Enter');
  await expect(head(/^Row 60,/)).toBeInViewport();
  await page.keyboard.press('Escape');
  await expect(panel).toBeHidden();
  const field = page.getByRole('searchbox', { name: 'Find a row' });
  await expect(field).toHaveValue('60');
  await page.keyboard.press('Escape');
  await expect(field).toHaveValue('');
  await expect(grid).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(list).toBeFocused();
});

test('of a run that goes on, the keys walk and the panel closes while it tells news', async ({
  app,
  page,
  enter,
}) => {
  const runId = await app.run('leads', rows(2_000, { wait: '1s' }));
  await enter(`/runs/${runId}/matrix`);
  const { grid, panel } = matrix(page);
  const news = async () => {
    const done = async () => (await app.handlers['run.show']({ runId })).rowsDone;
    const before = await done();
    await expect.poll(done).toBeGreaterThan(before + 5);
  };
  await grid.focus();
  await page.keyboard.press('Enter');
  await expect(panel).toContainText('Row 1');
  await Promise.all(Array.from({ length: 40 }, () => page.keyboard.press('ArrowDown')));
  await expect.poll(() => page.url()).toContain('row=41');
  await news();
  await expect(panel.getByRole('heading', { level: 2 })).toHaveText('Row 41');
  await page.keyboard.press('Escape');
  await expect.poll(() => page.url()).not.toContain('row=');
  await news();
  await expect(panel).toBeHidden();
  await expect(grid).toBeFocused();
  expect((await app.handlers['run.show']({ runId })).status).toBe('running');
});

test('a link leads to a cell, and n and p walk the failed rows', async ({ app, page, enter }) => {
  const runId = await app.run('leads', rows(200));
  await expect.poll(async () => (await app.handlers['run.show']({ runId })).status).toBe('completed');
  await enter(`/runs/${runId}/matrix?row=127&node=score`);
  const { cell, panel } = matrix(page);
  await expect(cell(127, 'score: failed')).toBeInViewport();
  await expect(panel.getByRole('heading', { level: 2 })).toHaveText('Row 127 · score');
  for (const [key, row] of [
    ['n', 167],
    ['n', 167],
    ['p', 127],
    ['p', 87],
  ] as const) {
    await page.keyboard.press(key);
    await expect(panel.getByRole('heading', { level: 2 })).toHaveText(`Row ${row} · score`);
  }
});

test('only failed, or only slow rows are shown, and a row is found by its number', async ({
  app,
  page,
  enter,
}) => {
  const input = rows(300).map((row) => (row.n % 100 === 50 ? { ...row, wait: '1500ms' } : row));
  const runId = await app.run('leads', input);
  await expect.poll(async () => (await app.handlers['run.show']({ runId })).status).toBe('completed');
  await enter(`/runs/${runId}/matrix`);
  const { grid, head, filter, panel } = matrix(page);
  await filter(/^Failed/).click();
  await expect(filter(/^Failed/)).toContainText('8');
  await expect(grid.getByRole('rowheader')).toHaveCount(8);
  await filter(/^Slow/).click();
  await expect(head(/^Row 50, .*: done.*slow$/)).toBeVisible();
  // On a busy machine others can be slow too; none is shown that is not.
  await expect(grid.getByRole('rowheader', { name: /^Row \d+, .*: (?!.*slow$)/ })).toHaveCount(0);
  await filter(/^All/).click();
  await grid.focus();
  await page.keyboard.press('/');
  await page.keyboard.type('row 222');
  await page.keyboard.press('Enter');
  await expect(head(/^Row 222,/)).toBeInViewport();
  await expect(grid).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(panel.getByRole('heading', { level: 2 })).toHaveText('Row 222');
  await page.keyboard.press('/');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('301');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status').filter({ hasText: 'no row 301' })).toBeVisible();
});

test('the cell that the keys are on stays in sight when the panel opens beside it', async ({
  app,
  page,
  enter,
}) => {
  await page.setViewportSize({ width: 900, height: 700 });
  const runId = await app.run('leads', rows(20));
  await enter(`/runs/${runId}/matrix`);
  const { grid, cell, panel } = matrix(page);
  await expect(cell(1, /^result: done/)).toBeVisible();
  await grid.focus();
  await page.keyboard.press('Control+ArrowRight');
  await page.keyboard.press('Enter');
  await expect(panel).toBeVisible();
  await expect(cell(1, /^result: done/)).toBeInViewport({ ratio: 0.95 });
});

test('a row without a kept trace says so, and is traced when asked', async ({ app, page, enter }) => {
  const runId = await app.run('leads', rows(250));
  await expect.poll(async () => (await app.handlers['run.show']({ runId })).status).toBe('completed');
  await enter(`/runs/${runId}/matrix?row=246&node=score`);
  const { panel } = matrix(page);
  await expect(panel).toContainText('Values not kept');
  await panel.getByRole('button', { name: 'Trace this row' }).click();
  await expect(panel).toContainText('Traced again just now');
  await expect(panel.getByRole('group', { name: 'Value of score in row 246' })).toContainText('246');
});

test('cells show values or times, rows show their first text, and the choice is remembered', async ({
  app,
  page,
  enter,
}) => {
  const people = rows(300).map((row) => ({ ...row, name: `Ada ${row.n}` }));
  const runId = await app.run('leads', people);
  await expect.poll(async () => (await app.handlers['run.show']({ runId })).status).toBe('completed');
  await enter(`/runs/${runId}/matrix`);
  const { grid, cell, head } = matrix(page);
  const show = (name: string) =>
    page.getByRole('group', { name: 'Cells show' }).getByRole('button', { name });
  await expect(page.getByRole('columnheader', { name: /^Row name/ })).toBeVisible();
  await expect(head(/^Row 2, Ada 2: done/)).toContainText('Ada 2');
  await expect(cell(2, /^score: done/)).toHaveText(/ms|µs/);
  await show('Values').click();
  await expect(show('Values')).toHaveAttribute('aria-pressed', 'true');
  await expect(cell(2, /^score: done/)).toHaveText('score: 2');
  await expect(cell(7, 'score: failed')).toBeVisible();
  await expect(cell(3, 'company: skipped')).toHaveText('skipped');
  await grid.focus();
  await page.keyboard.press('Control+ArrowDown');
  // Its values are not traced; the row and its output are stored for each row.
  await expect(cell(300, /^result: done/)).toHaveText('score: 300');
  await expect(cell(300, /^input: done/)).toContainText('name: Ada 300');
  await expect(cell(300, /^score: done.*value not kept$/)).toHaveAttribute('title', /Trace this row/);
  await page.reload();
  await expect(cell(2, /^score: done/)).toHaveText('score: 2');
  expect(await barriers(page)).toEqual([]);
  await page.setViewportSize({ width: 700, height: 700 });
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await barriers(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(700);
  await show('Time').click();
  await expect(cell(2, /^score: done/)).toHaveText(/ms|µs/);
});

test('a failed row beyond the bound of traces shows where and why it failed', async ({ page }) => {
  const app = await startApp({ workflows: { leads }, maxTraceBytes: 0 });
  try {
    const input = rows(600).map((row) => ({ ...row, wait: '0ms' }));
    const runId = await app.run('leads', input);
    await expect.poll(async () => (await app.handlers['run.show']({ runId })).status).toBe('completed');
    await page.goto(await linkTo(app, `/runs/${runId}/matrix?row=567&node=score`));
    const { cell, panel } = matrix(page);
    await expect(cell(567, 'score: failed')).toHaveText('failed');
    await expect(cell(567, 'result: not reached')).toBeVisible();
    await expect(cell(567, 'company: not kept')).toBeVisible();
    await expect(panel.getByRole('region', { name: 'Error' })).toContainText(
      'HTTP 500 from GET https://example.com/companies',
    );
    await expect(panel).toContainText('Only the error is kept');
    await panel.getByRole('button', { name: 'Trace this row' }).click();
    await expect(panel.getByRole('group', { name: 'Value of input in row 567' })).toContainText('567');
  } finally {
    await app.close();
  }
});

test('a row whose trace has the beginning alone is loaded whole', async ({ app, page, enter }) => {
  const runId = await app.run('leads', [{ n: 1, name: 'Ada', note: `${'x'.repeat(40_000)}the end` }]);
  await enter(`/runs/${runId}?row=1&node=input`);
  const { panel } = matrix(page);
  await expect(panel).toContainText('a trace keeps 16 KB');
  await panel.getByRole('button', { name: 'Load whole' }).press('Enter');
  await panel.getByRole('button', { name: 'Show all 40,007 characters' }).click();
  await expect(panel).toContainText('the end');
});

test('rows that arrive while the matrix is open are filled in where they belong', async ({
  app,
  page,
  enter,
}) => {
  const runId = await app.run(
    'leads',
    rows(6).map((row) => (row.n === 4 ? { ...row, wait: '8s' } : row)),
  );
  await enter(`/runs/${runId}/matrix`);
  const { cell, head } = matrix(page);
  await expect(head(/^Row 6: not ended yet$/)).toBeVisible();
  await expect(cell(6, 'company: not ended yet')).toBeVisible();
  await expect(head(/^Row 6, Ada Lovelace: done/)).toBeVisible({ timeout: 15_000 });
  await expect(cell(6, /^score: done/)).toBeVisible();
});

test('a link to a row that has not ended shows it, and what becomes of it', async ({ app, page, enter }) => {
  const [first, ...others] = rows(60);
  const runId = await app.run('leads', [{ ...first, wait: '4s' }, ...others]);
  await enter(`/runs/${runId}/matrix?row=7&node=score`);
  const { panel } = matrix(page);
  await expect(page.getByRole('complementary', { name: 'Row 7' })).toBeVisible();
  await expect(panel).toContainText('HTTP 500');
});

test('a link to a row of a rerun leads there once the row has ended', async ({ app, page, enter }) => {
  const input = rows(20).map((row) => ({ ...row, wait: row.n === 13 ? '4s' : '1ms', n: row.n * 40 + 7 }));
  const before = await app.run('leads', input);
  await expect
    .poll(async () => (await app.handlers['run.show']({ runId: before })).status, { timeout: 15_000 })
    .toBe('completed');
  const { runId } = await app.handlers['run.rerun']({ runId: before, rows: 'failed' });
  await enter(`/runs/${runId}/matrix?row=15&node=score`);
  const { panel } = matrix(page);
  await expect(panel).toContainText('HTTP 500');
});

test('many nodes are drawn only where they are in sight', async ({ app, page, enter }) => {
  const runId = await app.run('wide', rows(50));
  await enter(`/runs/${runId}/matrix`);
  const { grid, cell } = matrix(page);
  await expect(cell(1, /^step_0: done/)).toBeVisible();
  expect(await grid.getByRole('columnheader').count()).toBeLessThan(16);
  await grid.focus();
  await page.keyboard.press('Control+ArrowRight');
  await expect(cell(1, /^result: done/)).toBeInViewport();
  expect(await grid.getByRole('columnheader').count()).toBeLessThan(16);
});

test('the matrix and its panel have no barrier, light and dark', async ({ app, page, enter }) => {
  const runId = await app.run('leads', rows(60));
  const { panel } = matrix(page);
  await page.emulateMedia({ colorScheme: 'light' });
  await enter(`/runs/${runId}/matrix?row=7&node=score`);
  await expect(panel).toContainText('HTTP 500');
  expect(await barriers(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.keyboard.press('Control+ArrowLeft');
  await expect(panel).toContainText('Nodes, one after the other');
  expect(await barriers(page)).toEqual([]);
});
