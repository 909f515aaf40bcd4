// A server that is briefly unreachable: the page reports missing content, and loads it on retry.
import type { Page } from '@playwright/test';
import { barriers, callOf, expect, holdOldAnswer, linkTo, startApp, test as base } from './in-app.ts';
import { deferred } from '../../src-main/base/deferred.ts';
import type { TestApp } from '../builders/start-test-app.ts';

const leads = `rowbench: 1
id: leads
onRowError: skip
nodes:
  - { id: input, type: input }
  - id: score
    type: code
    code: |
      if (row.n % 2 === 1) throw new Error('No answer');
      return { n: row.n };
  - { id: result, type: output, fields: { n: "=nodes.score.n" } }
`;

/** One server for the file: nothing here changes what it keeps. */
const test = base.extend<object, { readonly shared: TestApp }>({
  shared: [
    async ({}, use) => {
      const app = await startApp({ workflows: { leads } });
      await use(app);
      await app.close();
    },
    { scope: 'worker' },
  ],
  app: async ({ shared }, use) => use(shared),
});

const again = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Try again' });

for (const { chunk, of, path, title } of [
  { chunk: 'SettingsScreen', of: 'the settings', path: () => '/settings', title: 'Server' },
  { chunk: 'RunRows', of: 'a run', path: (runId: string) => `/runs/${runId}`, title: 'leads' },
])
  test(`the part of ${of} that did not load says so, and comes when it is tried again`, async ({
    page,
    shared,
  }) => {
    const runId = await shared.run('leads', [{ n: 1 }]);
    let isDown = true;
    await page.route(new RegExp(`/assets/${chunk}-.*\\.js`), (route) =>
      isDown ? route.abort() : route.continue(),
    );
    await page.goto(await linkTo(shared, path(runId)));
    await expect(page.getByRole('heading', { name: 'This part of the page did not load' })).toBeVisible();
    if (chunk === 'SettingsScreen') expect(await barriers(page)).toEqual([]);
    isDown = false;
    await again(page).click();
    await expect(page.getByRole('heading', { name: title })).toBeVisible();
    await expect(again(page)).toHaveCount(0);
    await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0);
  });

type Noting = { hasPressed?: boolean };

/** Has the page note that the button to try again is pressed, before anything comes of it. */
const notePresses = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const note = ({ target }: Event): void => {
      const button = target instanceof Element ? target.closest('button') : null;
      if (button?.textContent.includes('Try again')) (globalThis as Noting).hasPressed = true;
    };
    addEventListener('click', note, { capture: true });
  });

const hasPressed = (page: Page): Promise<boolean> =>
  page.evaluate(() => (globalThis as Noting).hasPressed === true);

/** Content of pages: its name, the procedure that loads it, the page, and a text that appears once it has loaded. */
const answers = [
  { what: 'why a run failed', asks: 'run.causes', at: 'why', shows: 'No answer' },
  { what: 'the lines of a node', asks: 'run.nodeSource', at: 'why', shows: 'of the file' },
  { what: 'the rows', asks: 'run.table', at: 'rows', shows: 'Status' },
  { what: 'the times of nodes', asks: 'run.nodes', at: 'timing', shows: 'Time in nodes' },
  { what: 'the grid', asks: 'rows.entry', at: '/workflows/leads/run', shows: 'Earlier run' },
  { what: 'the API log', asks: 'calls.list', at: '/log', shows: 'Export HAR' },
] as const;

for (const { what, asks, at, shows } of answers)
  test(`${what}: an answer that did not come is said, and comes when it is tried again`, async ({
    page,
    shared,
  }) => {
    const runId = await shared.run('leads', [{ n: 1 }]);
    const path = at.startsWith('/') ? at : `/runs/${runId}/${at}`;
    await notePresses(page);
    // A page asks again by itself whenever the server tells of something: until the button is pressed, in vain.
    await page.route(callOf(asks), async (route) =>
      (await hasPressed(page)) ? route.continue() : route.abort(),
    );
    await page.goto(await linkTo(shared, path));
    await expect(page.getByRole('main').getByRole('alert')).toContainText('The server does not answer');
    await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0);
    await again(page).click();
    await expect(page.getByRole('main').getByText(shows).first()).toBeVisible();
    await expect(again(page)).toHaveCount(0);
  });

test('of two rows that are looked for, the one that was looked for last is shown', async ({
  page,
  shared,
}) => {
  const runId = await shared.run(
    'leads',
    Array.from({ length: 40 }, (_, n) => ({ n: n + 1 })),
  );
  await expect.poll(async () => (await shared.handlers['run.show']({ runId })).status).toBe('completed');
  const [isBlocked, isFree] = [deferred(), deferred()];
  await page.route(callOf('run.locate'), async (route) => {
    if (!(route.request().postData() ?? '').includes('"row":30')) return route.continue();
    isBlocked.resolve();
    await isFree.promise;
    await route.continue();
  });
  await page.goto(await linkTo(shared, `/runs/${runId}/matrix`));
  const field = page.getByRole('searchbox', { name: 'Search in all rows' });
  const active = page.locator('.row.active');
  await field.fill('30');
  await field.press('Enter');
  await isBlocked.promise;
  await field.fill('12');
  await field.press('Enter');
  await expect(active).toHaveAttribute('aria-rowindex', '14');
  const late = page.waitForResponse(callOf('run.locate'));
  isFree.resolve();
  await late;
  await expect(active).toHaveAttribute('aria-rowindex', '14');
});

test('what was known of a run before it failed does not come back when its answer is late', async ({
  page,
}) => {
  const waits = leads
    .replace('id: leads', 'id: waits')
    .replace('type: code', 'type: delay\n    for: 1h\n  - id: code\n    type: code');
  const app = await startApp({
    workflows: { leads, waits: waits.replace('nodes.score', 'nodes.code') },
    settings: { runsAtOnce: 1 },
  });
  try {
    const first = await app.run('waits', [{ n: 1 }]);
    const runId = await app.run('leads', [{ n: 1 }]);
    const shown = await holdOldAnswer(page, callOf('run.show'));
    await page.goto(await linkTo(app, `/runs/${runId}`));
    await shown.isBlocked;
    await app.handlers['run.cancel']({ runId: first });
    const why = page.getByRole('region', { name: 'This run' });
    await expect(why).toContainText('All rows failed');
    await shown.free();
    // Requests from here on are answered after it.
    await page.getByRole('tab', { name: 'Why it failed' }).click();
    await expect(page.getByRole('tabpanel').getByRole('listitem').first()).toContainText('No answer');
    await expect(why).toContainText('All rows failed');
  } finally {
    await app.close();
  }
});
