// How each node ended in each row: the cells of nodes in the table of rows, and the trace of a row in its panel.
import type { Page } from '@playwright/test';
import { barriersInBothThemes, expect, linkTo, startApp, test as base } from './in-app.ts';
import type { TestApp } from '../builders/start-test-app.ts';

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

const echo = `rowbench: 1
id: echo
nodes:
  - { id: input, type: input }
  - { id: greet, type: code, code: "console.log('مرحبا', row.name); return row.name + ' 👋🏽';" }
  - { id: result, type: output, fields: { name: "=nodes.greet", text: "=row.text" } }
`;

const typed = `rowbench: 1
id: typed
onRowError: skip
nodes:
  - { id: input, type: input, fields: { email: { type: number } } }
  - { id: result, type: output, fields: { email: "=row.email" } }
`;

const test = base.extend({
  app: async ({}, use) => {
    const app = await startApp({ workflows: { leads, wide, echo, typed } });
    await use(app);
    await app.close();
  },
});

const rows = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, n) => ({ n: n + 1, name: 'Ada Lovelace', ...more }));

/** The table with its cells of nodes, and the panel, as a person meets them. */
const screen = (page: Page) => {
  const panel = page.getByRole('complementary', { name: /^Row/ });
  const line = (row: number) => page.locator(`[role=row][aria-rowindex="${row + 2}"]`);
  return {
    grid: page.getByRole('grid', { name: 'Rows', exact: true }),
    line,
    cell: (row: number, name: RegExp | string) => line(row).getByRole('gridcell', { name }),
    numbers: page.getByRole('grid', { name: 'Rows', exact: true }).locator('[role=rowheader][id$="-0"]'),
    panel,
    title: panel.getByRole('heading', { level: 2 }),
    tab: (name: RegExp | string) => panel.getByRole('tab', { name }),
    node: panel.getByRole('tabpanel').getByRole('heading', { level: 3 }).first(),
    search: page.getByRole('searchbox', { name: 'Search in all rows' }),
    failed: page.getByRole('group', { name: 'Rows shown' }).getByRole('button', { name: /^Failed/ }),
    slow: page.getByRole('button', { name: /^Slow/ }),
  };
};

async function completed(app: TestApp, workflowId: string, input: readonly object[]): Promise<string> {
  const runId = await app.run(workflowId, input);
  const status = async () => (await app.handlers['run.show']({ runId })).status;
  await expect.poll(status, { timeout: 20_000 }).toBe('completed');
  return runId;
}

test(
  'an older link leads to a cell of a node, Back leaves in one step, and the keys walk the failed rows',
  { tag: '@main' },
  async ({ app, page, enter }) => {
    const runId = await completed(app, 'leads', rows(200));
    await enter('/');
    const list = page.getByRole('grid', { name: 'Runs' });
    await expect(list).toBeFocused();
    await page.goto(new URL(`/runs/${runId}/matrix?row=127&node=score`, page.url()).href);
    const { grid, line, cell, panel, title, tab, node } = screen(page);
    await expect(cell(127, 'score: failed')).toBeInViewport();
    await expect(title).toHaveText('Row 127 · Ada Lovelace');
    await expect(tab('Trace')).toHaveAttribute('aria-selected', 'true');
    await expect(node).toContainText('score');
    await expect(page).toHaveURL(new RegExp(`/runs/${runId}\\?row=127&node=score#show=nodes$`));
    await expect(page.getByRole('button', { name: 'Nodes', exact: true })).toHaveAttribute(
      'aria-pressed',
      'true',
    );
    await page.goBack();
    await expect(list).toBeVisible();
    await page.goForward();
    await expect(title).toHaveText('Row 127 · Ada Lovelace');
    for (const [key, row] of [
      ['n', 167],
      ['n', 167],
      ['p', 127],
      ['p', 87],
    ] as const) {
      await page.keyboard.press(key);
      await expect(title).toHaveText(`Row ${row} · Ada Lovelace`);
    }
    await page.keyboard.press('Home');
    await page.keyboard.press('n');
    await expect(title).toHaveText('Row 7 · Ada Lovelace');
    await expect(cell(7, 'score: failed')).toBeVisible();
    // The reason stands in the place of the cells that the row never reached.
    await expect(line(7)).toContainText('HTTP 500 from GET');
    await expect(cell(3, 'company: skipped')).toHaveText('skipped');
    await expect(cell(4, /^company: done, [\d.]+ ms$/)).toBeVisible();
    await expect(line(7)).toContainText('Failed');

    // The panel follows the keys to the cause.
    await expect(panel).toContainText('HTTP 500 from GET https://example.com/companies');
    await expect(panel.getByRole('group', { name: 'Value of input in row 7' })).toContainText('Ada Lovelace');
    await expect(panel).toContainText('scoring Ada Lovelace');
    await expect(panel).toContainText('score, line 12 of the file');
    await expect(panel.getByRole('region', { name: 'The lines of score' })).toContainText(
      "throw new Error('HTTP 500",
    );
    await expect(grid).toBeFocused();
    await expect.poll(() => page.url()).toContain('row=7&node=score');
    await page.keyboard.press('ArrowLeft');
    await expect(node).toContainText('company');
    await page.keyboard.press('j');
    await expect(title).toHaveText('Row 8 · Ada Lovelace');
    await expect(panel).toContainText('Skipped');
    expect(await barriersInBothThemes(page)).toEqual([]);
    await page.keyboard.press('Control+ArrowLeft');
    await expect(panel).toContainText('Nodes, one after the other');
    expect(await barriersInBothThemes(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect(panel).toBeHidden();
    await expect(grid).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(list).toBeFocused();
  },
);

test('a row is found by its number, from a filter too, and its cell stays in sight beside the panel', async ({
  app,
  page,
  enter,
}) => {
  const input = rows(300).map((row) => (row.n % 100 === 50 ? { ...row, wait: '1500ms' } : row));
  const runId = await completed(app, 'leads', input);
  await enter(`/runs/${runId}/matrix`);
  const { grid, line, cell, numbers, panel, title, search, failed, slow } = screen(page);
  await failed.click();
  await expect(failed).toContainText('8');
  await expect(numbers).toHaveCount(8);
  await failed.click();
  await slow.click();
  await expect(numbers.filter({ hasText: /^50$/ })).toBeVisible();
  // On a busy machine others can be slow too; none is shown that is not.
  const tooks = grid.getByTitle('Slow', { exact: true });
  await expect(tooks).toHaveCount(await numbers.count());
  await grid.focus();
  await page.keyboard.press('/');
  await page.keyboard.type('row 222');
  await expect(page.getByRole('button', { name: /^Go to row 222/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(line(222)).toBeInViewport();
  await expect(title).toHaveText('Row 222 · Ada Lovelace');
  await expect(grid).toBeFocused();
  await expect(search).toHaveValue('');
  await page.keyboard.press('/');
  await page.keyboard.type('301');
  await page.keyboard.press('Enter');
  await expect(page.getByText('There is no row 301.')).toBeVisible();
  await grid.focus();
  await page.keyboard.press('Escape');
  await expect(panel).toBeHidden();
  // Sorted by an output, the key goes to the failed rows in the order shown: they have none, and come last.
  await page.goto(new URL(`/runs/${runId}#show=both&sort=-output.score`, page.url()).href);
  await expect(numbers.first()).toHaveText('300');
  for (const row of [7, 47]) {
    await page.keyboard.press('n');
    await expect(numbers.and(page.locator('.has-keys'))).toHaveText(String(row));
  }
  await page.goto(new URL(`/runs/${runId}#show=nodes`, page.url()).href);
  await page.getByRole('button', { name: 'Actions on company' }).click();
  const skipped = page.getByRole('menuitem', { name: /^Only rows that skipped it/ });
  await expect(skipped).toContainText('60');
  await skipped.click();
  await expect(page.getByRole('status').filter({ hasText: '60 of 300 rows' })).toBeVisible();
  await page.getByRole('button', { name: 'Clear all' }).click();
  await page.setViewportSize({ width: 900, height: 700 });
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Control+ArrowRight');
  await page.keyboard.press('Enter');
  await expect(panel).toBeVisible();
  await expect(cell(1, /^result: done/)).toBeInViewport({ ratio: 0.95 });
});

test('the keys walk a run that goes on, no row moves, and what it did not come to is not run', async ({
  app,
  page,
  enter,
}) => {
  const runId = await app.run('leads', rows(10_000, { wait: '1s' }));
  await enter(`/runs/${runId}/matrix`);
  const { grid, cell, line, numbers, panel, title } = screen(page);
  const news = async () => {
    const done = async () => (await app.handlers['run.show']({ runId })).rowsDone;
    const before = await done();
    await expect.poll(done).toBeGreaterThan(before + 5);
  };
  // The columns are there with the first rows, and cells fill where they are.
  await expect(numbers.first()).toHaveText('1');
  await expect(page.getByRole('columnheader', { name: /^score/ })).toBeVisible();
  const top = (await line(5).boundingBox())?.y;
  await expect(cell(3, /^score: done/)).toBeVisible();
  await grid.focus();
  await page.keyboard.press('Enter');
  await expect(title).toContainText('Row 1');
  await Promise.all(Array.from({ length: 40 }, () => page.keyboard.press('ArrowDown')));
  await expect.poll(() => page.url()).toContain('row=41');
  await news();
  await expect(title).toContainText('Row 41');
  await page.keyboard.press('Escape');
  await expect.poll(() => page.url()).not.toContain('row=');
  await news();
  await expect(panel).toBeHidden();
  await expect(grid).toBeFocused();
  expect((await app.handlers['run.show']({ runId })).status).toBe('running');
  await page.keyboard.press('Home');
  expect((await line(5).boundingBox())?.y).toBe(top);
  await app.handlers['run.cancel']({ runId });
  await page.keyboard.press('End');
  await expect(cell(10_000, 'score: not run')).toBeVisible();
});

test('cells show values or times, and a row without a trace is traced when asked', async ({
  app,
  page,
  enter,
}) => {
  const people = rows(300).map((row) => ({ ...row, name: `Ada ${row.n}` }));
  const runId = await completed(app, 'leads', people);
  await enter(`/runs/${runId}/matrix`);
  const { grid, cell, line, panel, tab } = screen(page);
  const show = (name: string) =>
    page.getByRole('group', { name: 'Cells show' }).getByRole('button', { name });
  await expect(line(2)).toContainText('Ada 2');
  await expect(cell(2, /^score: done/)).toHaveText(/ms|µs/);
  await show('Values').click();
  await expect(show('Values')).toHaveAttribute('aria-pressed', 'true');
  await expect(cell(2, /^score: done/)).toContainText('2');
  await expect(cell(7, 'score: failed')).toBeVisible();
  await expect(cell(3, 'company: skipped')).toHaveText('skipped');
  await grid.focus();
  await page.keyboard.press('Control+ArrowDown');
  await expect(cell(300, /^score: done.*value not kept$/)).toHaveAttribute('title', /Trace this row/);
  await page.reload();
  await expect(cell(2, /^score: done.*2/)).toBeVisible();
  expect(await barriersInBothThemes(page)).toEqual([]);
  await page.goto(new URL(`/runs/${runId}?row=246&node=score#show=nodes`, page.url()).href);
  await expect(panel).toContainText('Values not kept');
  await panel.getByRole('button', { name: 'Trace this row' }).click();
  await expect(panel).toContainText('Traced again just now');
  await expect(panel.getByRole('group', { name: 'Value of score in row 246' })).toContainText('246');
  // The row is stored for each row, whole.
  await tab('Row').click();
  await expect(panel.getByRole('group', { name: 'Input of row 246' })).toContainText('Ada 246');
  await tab(/^Attempts/).click();
  await expect(panel.getByRole('tabpanel')).toContainText('Attempt 1 done');
  await page.setViewportSize({ width: 700, height: 700 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(700);
});

test('a failed row beyond the bound of traces shows where and why it failed', async ({ page }) => {
  const app = await startApp({ workflows: { leads }, maxTraceBytes: 0 });
  try {
    const input = rows(600).map((row) => ({ ...row, wait: '0ms' }));
    const runId = await completed(app, 'leads', input);
    await page.goto(await linkTo(app, `/runs/${runId}/matrix?row=567&node=score`));
    const { cell, panel } = screen(page);
    await expect(cell(567, 'score: failed')).toHaveText('failed');
    await expect(cell(567, 'company: not kept')).toBeVisible();
    // The text of the file has the message, too, without `Error`.
    await expect(panel.getByText('Error: HTTP 500 from GET https://example.com/companies')).toHaveCount(1);
    await expect(panel).toContainText('Only the error of this row is kept');
    await panel.getByRole('button', { name: 'Trace this row' }).click();
    await expect(panel.getByRole('group', { name: 'Value of input in row 567' })).toContainText('567');
  } finally {
    await app.close();
  }
});

test('a row that failed at its input shows its error once, and claims nothing of its trace', async ({
  app,
  page,
  enter,
}) => {
  const runId = await completed(app, 'typed', [{ email: 'nobody' }]);
  await enter(`/runs/${runId}/matrix?row=1`);
  const { panel } = screen(page);
  await expect(panel).toContainText('Nodes, one after the other');
  await expect(panel.getByText(/"nobody"/)).toHaveCount(1);
  await expect(panel.getByRole('button', { name: 'Trace this row' })).toHaveCount(0);
});

test('rows of a megabyte, and texts of all scripts, are shown as they are', async ({ app, page, enter }) => {
  const names = ['ليلى حسن', '王小明', '👩‍🚀 Ада', '<img src=x onerror=alert(1)>'];
  const runId = await completed(app, 'echo', [
    ...names.map((name) => ({ name })),
    { name: 'large', text: `${'x'.repeat(1_000_000)}the end` },
    { name: 'long', text: `${'x'.repeat(40_000)}the end` },
    { name: 'Ada \u202Egnp.exe' },
  ]);
  await enter(`/runs/${runId}/matrix?row=1&node=greet`);
  const { grid, line, panel, title, tab } = screen(page);
  for (const name of names) {
    await expect(panel).toContainText(`${name} 👋🏽`);
    await expect(panel).toContainText(`مرحبا ${name}`);
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('ArrowLeft');
  await expect(panel).toContainText('The beginning: a trace keeps 16 KB of a value.');
  await page.keyboard.press('ArrowDown');
  await expect(title).toHaveText('Row 6 · long');
  await expect(panel).toContainText('The tab Row has all of it.');
  await tab('Row').click();
  await panel.getByRole('button', { name: 'Show all 40,007 characters' }).first().click();
  await expect(panel).toContainText('the end');
  // A character that turns the text around is named: a file "…exe.png" is none.
  await grid.focus();
  await page.keyboard.press('ArrowDown');
  await expect(title).toContainText('U+202E');
  await expect(panel.getByRole('tabpanel')).toContainText('Ada U+202Egnp.exe');
  await page.keyboard.press('Escape');
  await expect(line(7)).toContainText('U+202E');
});

test('a link to a row that has not ended shows it, of a rerun too, and what becomes of it', async ({
  app,
  page,
  enter,
}) => {
  const input = rows(20).map((row) => ({ ...row, wait: row.n === 13 ? '2s' : '1ms', n: row.n * 40 + 7 }));
  const before = await completed(app, 'leads', input);
  const { runId: rerun } = await app.handlers['run.rerun']({ runId: before, rows: 'failed' });
  await enter(`/runs/${rerun}/matrix?row=15&node=score`);
  const { cell, line, panel, title } = screen(page);
  await expect(panel).toContainText('HTTP 500');
  const [first, ...others] = rows(60);
  const runId = await app.run('leads', [{ ...first, wait: '4s' }, ...others]);
  await page.evaluate((path) => {
    history.pushState(null, '', path);
    dispatchEvent(new PopStateEvent('popstate'));
  }, `/runs/${runId}?row=7&node=score#show=nodes`);
  await expect(title).toContainText('Row 7');
  await expect(cell(6, 'company: not ended yet')).toBeVisible();
  await expect(line(6)).toContainText('Waiting');
  await expect(panel).toContainText('HTTP 500');
  await expect(cell(6, /^score: done/)).toBeVisible();
});

test('many nodes are drawn only where they are in sight', async ({ app, page, enter }) => {
  const runId = await app.run('wide', rows(50));
  await enter(`/runs/${runId}/matrix`);
  const { grid, cell } = screen(page);
  await expect(cell(1, /^step_0: done/)).toBeVisible();
  expect(await grid.getByRole('columnheader').count()).toBeLessThan(20);
  await grid.focus();
  await page.keyboard.press('Control+ArrowRight');
  await expect(cell(1, /^result: done/)).toBeInViewport();
  expect(await grid.getByRole('columnheader').count()).toBeLessThan(20);
});
