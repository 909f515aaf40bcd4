// The page of a run: the counts of its chain, buttons that say how many rows they run, and how little room its head takes.
import type { Page } from '@playwright/test';
import { controlOf } from '../builders/control-calls.ts';
import type { TestApp } from '../builders/start-test-app.ts';
import { barriersInBothThemes, drawn, expect, linkTo, resize, startApp, test as base } from './in-app.ts';

const contacts = `rowbench: 1
id: contacts
name: Import contacts
onRowError: skip
nodes:
  - { id: input, type: input }
  - { id: wait, type: delay, after: [input], for: "=row.wait ?? '0ms'" }
  - id: money
    type: code
    after: [wait]
    code: |
      if (typeof row.amount === 'string') throw new Error(\`amount "\${row.amount}" is not a number\`);
      if (row.amount < 0) throw new Error(\`The amount of \${row.id} is negative\`);
      return row.amount * 2;
  - { id: email, type: assert, after: [money], that: "=row.email.includes('@')", message: "{{ row.email }} has no @" }
  - { id: result, type: output, after: [email], fields: { name: "=row.name", money: "=nodes.money" } }
`;

const contact = (at: number) => ({
  id: String(at + 1).padStart(6, '0'),
  name: ['Ada Hopper', 'Dennis Liskov', 'Barbara Knuth'][at % 3],
  amount: at % 23 === 4 ? '3707,02' : at % 34 === 7 ? -3 : at,
  email: `contact${at + 1}${at % 37 === 9 ? '(at)' : '@'}example.org`,
});
const rows = Array.from({ length: 300 }, (_, at) => contact(at));
/** Rows of each cause; no row has two. */
const wrong = rows.filter(
  ({ amount, email }) => typeof amount === 'string' || amount < 0 || !email.includes('@'),
).length;
const negative = rows.filter(({ amount }) => typeof amount === 'number' && amount < 0).length;

const test = base.extend<{ app: TestApp }>({
  app: async ({}, use) => {
    const app = await startApp({ workflows: { contacts } });
    await use(app);
    await app.close();
  },
});

async function ended(app: TestApp, runId: string): Promise<string> {
  await expect.poll(async () => (await app.handlers['run.show']({ runId })).finishedAt).not.toBeNull();
  return runId;
}

/** Runs a sample of the rows. */
async function startSample(app: TestApp, input: readonly object[], sample: string): Promise<string> {
  const control = await controlOf(app);
  const body = JSON.stringify({ rows: input });
  const path = `/workflows/contacts/runs?sample=${encodeURIComponent(sample)}`;
  const { data } = JSON.parse((await control.send(path, { body })).text) as { data: { runId: string } };
  return ended(app, data.runId);
}

const screen = (page: Page) => ({
  header: page.getByRole('region', { name: 'This run' }),
  grid: page.getByRole('grid', { name: 'Rows', exact: true }),
  button: (name: string | RegExp) => page.getByRole('button', { name, exact: true }),
  step: async (name: string | RegExp): Promise<void> => {
    await page.getByRole('button', { name: 'Other steps' }).click();
    await page.getByRole('menuitem', { name }).click();
  },
});

/** Rows of the newest run, once there is one more than before. */
async function rowsStarted(app: TestApp, act: () => Promise<unknown>): Promise<number> {
  const newest = async () => (await app.handlers['run.list']({ limit: 1 }))[0];
  const before = (await newest())?.runId;
  await act();
  await expect.poll(async () => (await newest())?.runId).not.toBe(before);
  const run = await newest();
  await ended(app, run?.runId ?? '');
  return run?.rows ?? 0;
}

test('each button says how many rows it runs, and the counter how many are left', async ({ app, page }) => {
  const sample = await startSample(app, rows, 'random:10:7');
  const { rowsFailed } = await app.handlers['run.show']({ runId: sample });
  await page.goto(await linkTo(app, `/runs/${sample}`));
  const { header, button, step, grid } = screen(page);
  await expect(header).toContainText(`${10 - rowsFailed} of 300 done · ${290 + rowsFailed} open`);
  expect(await rowsStarted(app, () => button('Run the other 290 rows').click())).toBe(290);
  const counter = `${300 - wrong} of 300 done · ${wrong} open · 2 attempts`;
  await expect(header).toContainText(counter);
  await expect(grid).toBeFocused();
  await expect(page).toHaveURL(/#rows=attempt$/);
  await button('More').click();
  await page.getByRole('menuitem', { name: 'Delete…' }).click();
  const question = page.getByRole('dialog', { name: /^Delete the run of/ });
  await expect(question.getByRole('button', { name: 'Delete both attempts' })).toBeEnabled();
  await question.getByRole('button', { name: 'Keep it' }).click();

  // The counts of the page are those of the rows that are exported, from either run.
  for (const runId of [sample, page.url().replace(/^.*\/runs\/([\w-]+).*$/, '$1')]) {
    const selection = { conditions: [{ of: 'state' as const, states: ['failed' as const] }], latest: true };
    const failed = await app.handlers['run.table']({ runId, selection, from: 1, count: 1 });
    expect(failed).toMatchObject({ total: wrong });
  }
  await page.getByRole('button', { name: counter }).click();
  await page.getByRole('dialog', { name: 'Attempts' }).getByRole('link', { name: 'Attempt 1' }).click();
  await expect(header).toContainText('attempt 1');
  await expect(header).toContainText(counter);

  expect(await rowsStarted(app, () => step(`Rerun ${wrong} open rows`))).toBe(wrong);
  await expect(header).toContainText(`${300 - wrong} of 300 done · ${wrong} open · 3 attempts`);
  await button(/3 attempts$/).click();
  const attempts = page.getByRole('dialog', { name: 'Attempts' });
  await expect(attempts.getByRole('listitem').first()).toContainText(`${wrong} failed again`);
  await page.keyboard.press('Escape');
  await page.keyboard.press('w');
  const cause = page.getByRole('group', { name: 'Failed because' }).getByRole('button').first();
  const ofCause = Number(/(\d+)$/.exec(await cause.innerText())?.[1]);
  await cause.click();
  await expect(page.getByRole('tabpanel').getByRole('status').first()).toHaveText(`${ofCause} of 300 rows`);
  const footer = page.locator('p.count');
  await step(`Fix these ${ofCause}…`);
  await expect(footer).toContainText(`${ofCause} rows`);
  await page.goBack();
  expect(await rowsStarted(app, () => step(`Rerun these ${ofCause}`))).toBe(ofCause);
  await expect(header).toContainText('4 attempts');
  expect(await rowsStarted(app, () => step('Run all 300 rows again'))).toBe(300);
  // All rows again are a chain of their own.
  await expect(header).toContainText(`${300 - wrong} of 300 done · ${wrong} open`);
  await expect(header).not.toContainText('attempts');
});

test('a fix changes the field that failed, and its numbers are those of the rows that run', async ({
  app,
  page,
}) => {
  const runId = await app.run('contacts', rows);
  await ended(app, runId);
  await page.goto(await linkTo(app, `/runs/${runId}`));
  const { header, button, grid } = screen(page);
  const attempts = page.getByRole('dialog', { name: 'Attempts' });
  const footer = page.locator('p.count');
  await button(`Fix ${wrong} rows…`).click();
  const run = page.getByRole('group', { name: 'Run' }).getByRole('button').first();
  await expect(run).toContainText(`Run ${wrong} rows again`);

  // The message names the field, and each number on the screen is that of the rows that run.
  await page
    .getByRole('group', { name: 'Failed because' })
    .getByRole('button', { name: /The amount of .* is negative/ })
    .click();
  const of42 = page.getByRole('row').filter({ hasText: '000042' });
  await expect(of42.locator('[aria-invalid=true]')).toHaveText(/^-3/);
  await button('Find and replace').click();
  await page.getByRole('textbox', { name: 'Find' }).fill('-3');
  await page.getByRole('textbox', { name: 'Replace with' }).fill('3');
  await button('Replace all').click();
  await expect(footer).toContainText(`${negative} changed`);
  await expect(run).toContainText(`Run ${negative} changed rows`);
  await page.keyboard.press('Escape');
  await expect(grid).toBeFocused();
  await page.keyboard.press('Control+z');
  await expect(run).toContainText(`Run ${wrong} rows again`);
  await expect(footer).not.toContainText('changed');
  await page.keyboard.press('Control+y');
  await expect(footer).toContainText(`${negative} changed`);
  expect(await rowsStarted(app, () => run.click())).toBe(negative);
  await expect(header).toContainText(`${300 - wrong + negative} of 300 done`);
  await button(/2 attempts$/).click();
  await expect(attempts.getByRole('listitem').first()).toContainText(`${negative} fixed`);
  await page.keyboard.press('Escape');

  // Why rows failed is told of the rows that are open, which the buttons run.
  const open = wrong - negative;
  await page.getByRole('tab', { name: 'Why it failed' }).click();
  const why = page.getByRole('tabpanel');
  await expect(why.getByRole('heading', { level: 2 })).toHaveText(`${open} rows failed for 2 causes`);
  await expect(why.getByRole('button', { name: `Fix ${open} rows…` })).toBeVisible();
  await expect(why.getByRole('button', { name: `Rerun ${open} open rows` })).toBeVisible();
  const ofFirst = /^Show (\d+) rows$/;
  const shown = await why.getByRole('link', { name: ofFirst }).innerText();
  await why.getByRole('link', { name: ofFirst }).click();
  await expect(page.getByRole('tabpanel').getByRole('status').first()).toHaveText(
    `${ofFirst.exec(shown)?.[1]} of 300 rows`,
  );

  await resize(page, 700);
  await button('More').click();
  await page.getByRole('menuitem', { name: /^Compare with the rows before this attempt/ }).click();
  await expect(page).toHaveURL(/\/compare\/([\w-]+)~1\/\1$/);
});

test('rows that a cancelled attempt did not run are open, and a step of their own runs them', async ({
  app,
  page,
}) => {
  const slow = [contact(0), contact(4), ...[5, 6, 7].map((at) => ({ ...contact(at), wait: '1h' }))];
  const sample = await startSample(app, slow, 'first:2');
  const rest = await app.handlers['run.rest']({ runId: sample });
  await page.goto(await linkTo(app, `/runs/${rest.runId}`));
  const { header, button, step } = screen(page);
  await expect(header).toContainText('1 of 5 done · 2 attempts');
  await button('Cancel').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel the run' }).click();
  await expect(header).toContainText('1 of 5 done · 4 open · 2 attempts');
  await button('Fix 1 row…').click();
  await expect(page.getByRole('rowheader')).toHaveText(['2', '+']);
  await expect(page.getByRole('group', { name: 'Failed because' })).toContainText('is not a number');
  await page.goBack();
  await step('Rerun 3 open rows of attempt 2');
  await expect(header).toContainText('attempt 3 · 0 of 3 done');
  const [newest] = await app.handlers['run.list']({ limit: 1 });
  expect(newest).toMatchObject({ rows: 3, part: 'open', chainId: sample });
  await app.handlers['run.cancel']({ runId: newest?.runId ?? '' });
});

/** Where the first row begins, and how many whole rows are in sight. */
const layoutOf = (page: Page) =>
  page.evaluate(() => {
    const grid = document.querySelector<HTMLElement>('[role=grid]');
    const heads = grid?.querySelector('[role=columnheader]')?.closest('.heads');
    const first = heads?.getBoundingClientRect().bottom ?? NaN;
    const bottom = (grid?.getBoundingClientRect().top ?? NaN) + (grid?.clientHeight ?? NaN);
    return {
      first,
      whole: Math.floor((bottom - first) / 28),
      tooWide: document.body.scrollWidth > innerWidth,
    };
  });

test('the head takes two lines and the tools one, at each width, with and without filters', async ({
  app,
  page,
}) => {
  const sample = await startSample(app, rows, 'random:10:7');
  await ended(app, (await app.handlers['run.rest']({ runId: sample })).runId);
  const open = { conditions: [{ of: 'state' as const, states: ['failed' as const] }], latest: true };
  for (let at = 0; at < 2; at += 1)
    await ended(app, (await app.handlers['run.rerun']({ runId: sample, rows: { selection: open } })).runId);
  await page.goto(await linkTo(app, `/runs/${sample}`));
  const { header, grid, button } = screen(page);
  await expect(header).toContainText('4 attempts');
  await expect(grid).toBeFocused();
  const filters = ['contact', 'example', 'a', 'e', '0'].map((text, at) => ({
    of: 'column',
    column: { of: 'input', name: at === 0 ? 'email' : ['id', 'name', 'amount', 'email'][at % 4] },
    test: at < 3 ? { is: 'notEmpty' } : { is: 'contains', text },
  }));
  const fragment = filters
    .slice(0, 5)
    .map((filter) => `where=${encodeURIComponent(JSON.stringify(filter))}`)
    .join('&');
  const limits = [
    { width: 1440, height: 900, first: 240, whole: 23 },
    { width: 1024, height: 768, first: 240, whole: 18 },
    { width: 700, height: 900, first: 240, whole: 23 },
    { width: 420, height: 860, first: 250, whole: 20 },
  ];
  // A failed row says why beside its status, and its input is in sight.
  await resize(page, 1440, 900);
  await button(/^Failed/).click();
  const reason = page.getByRole('gridcell', { name: /amount "3707,02" is not a number/ }).first();
  const [reasonBox, gridBox] = [await reason.boundingBox(), await grid.boundingBox()];
  expect((reasonBox?.x ?? NaN) - (gridBox?.x ?? NaN)).toBeLessThanOrEqual(420);
  await expect(page.getByRole('columnheader', { name: 'email, input' })).toBeInViewport();
  await button(/^Failed/).click();
  for (const isFiltered of [false, true]) {
    if (isFiltered) {
      await page.goto(`${page.url().split('#')[0] ?? ''}#${fragment}`);
      await page.reload();
      await expect(page.getByRole('button', { name: 'Clear all' })).toBeVisible();
      await expect(grid).toBeVisible();
    }
    for (const { width, height, first, whole } of limits) {
      await resize(page, width, height);
      await drawn(page);
      const layout = await layoutOf(page);
      const where = `${width} px, ${isFiltered ? 'five filters' : 'no filter'}`;
      expect(layout.first, where).toBeLessThanOrEqual(first);
      expect(layout.whole, where).toBeGreaterThanOrEqual(whole);
      expect(layout.tooWide, where).toBe(false);
      expect((await header.boundingBox())?.height, where).toBe(83);
    }
  }
  await resize(page, 1440, 900);
  await page.getByRole('button', { name: 'Statistics' }).click();
  await expect.poll(async () => (await layoutOf(page)).first).toBeGreaterThan(limits[0]?.first ?? 0);
  expect((await layoutOf(page)).first).toBeLessThanOrEqual(305);
  await page.getByRole('button', { name: 'Statistics' }).click();
  await resize(page, 420, 860);
  // What the line has no room for is one click away.
  await page.getByRole('button', { name: /^All filters/ }).click();
  const all = page.getByRole('dialog', { name: 'All filters' });
  await expect(all.getByRole('listitem')).toHaveCount(5);
  expect(await barriersInBothThemes(page)).toEqual([]);
});
