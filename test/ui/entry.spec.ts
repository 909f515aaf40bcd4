import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { barriers, expect, linkTo, startApp, test } from './in-app.ts';

/** Everything that a script in the page could look through. */
const reachable = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const storage = (store: Storage): string => JSON.stringify(Object.entries({ ...store }));
    const globals = Object.getOwnPropertyNames(window).map((name) => {
      try {
        return JSON.stringify((window as unknown as Record<string, unknown>)[name]) ?? '';
      } catch {
        return ''; // a circle, or another window
      }
    });
    return [
      document.documentElement.outerHTML,
      storage(localStorage),
      storage(sessionStorage),
      document.cookie,
      location.href,
      JSON.stringify(history.state),
      JSON.stringify(performance.getEntries()),
      ...globals,
    ].join('\n');
  });

test(
  'a link opens the app, and neither its code nor the token is left where a script could find it',
  { tag: '@main' },
  async ({ app, page }) => {
    let token: string | undefined;
    page.on('request', (request) => (token ??= request.headers()['x-rowbench-token']));
    const link = await linkTo(app);
    await page.goto(link);
    await expect(page.getByRole('heading', { name: 'No runs yet' })).toBeVisible();
    await expect.poll(() => token).toMatch(/^[0-9a-f]{64}$/);
    const found = await reachable(page);
    expect(found).not.toContain(token);
    // The browser's own timing remembers the address that it was given, with a code that opens nothing any more.
    expect(page.url()).toBe(`${app.url}/`);
    const code = link.split('#code=')[1] ?? '';
    expect(
      found
        .split('\n')
        .filter(
          (line) =>
            line.includes(code) &&
            !line.includes('PerformanceNavigationTiming') &&
            !line.includes('"navigation"'),
        ),
    ).toEqual([]);
  },
);

test('a paired browser opens the app again: after a reload, in a second tab, from a bookmark', async ({
  app,
  page,
  context,
  enter,
}) => {
  await enter('/keys');
  await expect(page.getByRole('heading', { name: 'Keys' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Keys' })).toBeVisible();
  const [tab] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('link', { name: 'Workflows' }).click({ modifiers: ['ControlOrMeta'] }),
  ]);
  await expect(tab.getByRole('heading', { name: 'Workflows' })).toBeVisible();
  const bookmark = await context.newPage();
  await bookmark.goto(`${app.url}/settings/browsers`);
  await expect(bookmark.getByText('this browser')).toBeVisible();
  expect(await context.cookies()).toEqual([]);
});

test('a link that a paired browser opens stays unused', async ({ app, page, enter, browser }) => {
  await enter('/keys');
  await expect(page.getByRole('heading', { name: 'Keys' })).toBeVisible();
  const link = await linkTo(app);
  await page.goto('about:blank');
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'No runs yet' })).toBeVisible();
  const other = await browser.newPage();
  await other.goto(link);
  await expect(other.getByRole('heading', { name: 'No runs yet' })).toBeVisible();
  await other.close();
});

test('a browser that is not paired pairs by a link pasted into the page', async ({ app, page }) => {
  await page.goto(`${app.url}/keys`);
  await expect(page.getByRole('heading', { name: 'Pair this browser' })).toBeVisible();
  // Each test has a data folder of its own, in which a command without `--data` finds no server.
  for (const text of await page.locator('main code').allTextContents())
    if (text.includes('open')) expect(text).toMatch(/ open --data FOLDER$/);
  expect(await page.locator('main').innerText()).not.toContain(app.dataDir);
  expect(await barriers(page)).toEqual([]);
  const field = page.getByRole('textbox', { name: 'New link' });
  await field.fill('https://example.com/');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toContainText('This link contains no code');
  await field.fill(await linkTo(app));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Keys' })).toBeVisible();
  expect(page.url()).toBe(`${app.url}/keys`);
});

test('settings list paired browsers, and signing one out locks its open pages at once', async ({
  app,
  page,
  enter,
  browser,
}) => {
  const other = await browser.newContext({
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  });
  const otherPage = await other.newPage();
  await otherPage.goto(await linkTo(app));
  await expect(otherPage.getByRole('heading', { name: 'No runs yet' })).toBeVisible();
  await enter('/settings/browsers');
  const list = page.getByRole('list', { name: 'Paired browsers' });
  await expect(list.getByRole('listitem')).toHaveCount(2);
  expect(await barriers(page)).toEqual([]);
  await list.getByRole('button', { name: /^Sign out Firefox on Linux/ }).click();
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await expect(list.getByRole('listitem')).toHaveCount(1);
  await expect(otherPage.getByText('Signed out.')).toBeVisible();
  await otherPage.reload();
  await expect(otherPage.getByRole('heading', { name: 'Pair this browser' })).toBeVisible();
  await other.close();
  await page.getByRole('button', { name: 'Sign out this browser' }).press('Enter');
  await page.getByRole('button', { name: 'Sign out', exact: true }).press('Enter');
  await expect(page.getByRole('heading', { name: 'This browser has no access' })).toBeVisible();
  expect(
    await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('pairing'))),
  ).toEqual([]);
});

test('a restarted server takes the page back, with the rows that were typed', async ({ page }) => {
  const home = await mkdtemp(join(tmpdir(), 'rowbench-test-'));
  const first = await startApp({ home });
  await page.goto(await linkTo(first, '/workflows/quick/run?view=json'));
  await page.getByRole('textbox', { name: 'Rows as JSON' }).fill('[{"n":1},{"n":2}]');
  await expect(page.getByRole('button', { name: 'Run 2 rows' })).toBeVisible();
  await first.close();
  await expect(page.getByText('Is it still running? What you see may be old.')).toBeVisible();
  const second = await startApp({ home, port: first.port });
  try {
    await expect(page.getByText('Not connected.')).toBeHidden();
    await expect(page.getByRole('textbox', { name: 'Rows as JSON' })).toHaveValue(/"n":2/);
    await page.getByRole('button', { name: 'Run 2 rows' }).click();
    await expect(page).toHaveURL(/\/runs\//);
    await expect(page.getByRole('region', { name: 'This run' })).toContainText('Completed');
  } finally {
    await second.close();
    await rm(home, { recursive: true, force: true });
  }
});

test('a link that was used opens nothing', async ({ app, page, browser }) => {
  const link = await linkTo(app);
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'No runs yet' })).toBeVisible();
  const other = await browser.newPage();
  await other.goto(link);
  await expect(other.getByRole('heading', { name: 'This browser has no access' })).toBeVisible();
  await expect(other.getByText('This link has been used or is too old. Open a new one')).toBeVisible();
  await other.close();
});

test('a page without a session learns nothing from the server', async ({ app, page }) => {
  await app.run('quick', [{ n: 1 }]);
  await page.goto(`${app.url}/runs`);
  await expect(page.getByRole('heading', { name: 'Pair this browser' })).toBeVisible();
  expect(await reachable(page)).not.toContain('quick');
});

test('a page says that the server is away, and that its access ended when another data folder came', async ({
  page,
}) => {
  const first = await startApp();
  await page.goto(await linkTo(first));
  await expect(page.getByRole('heading', { name: 'No runs yet' })).toBeVisible();
  await first.close();
  await expect(page.getByText('Not connected.')).toBeVisible();
  await expect(page.getByText(/^rowbench serve --data ".+" --port \d+$/)).toBeVisible();
  await expect(page.getByRole('button', { name: /^Server .*away/ })).toBeVisible();
  const second = await startApp({ port: first.port });
  try {
    // It tries by itself too, and may have found the other server: then there is nothing to press any more.
    await page
      .getByRole('button', { name: 'Try now' })
      .click({ timeout: 2_000 })
      .catch(() => undefined);
    await expect(page.getByText('Signed out.')).toBeVisible();
    const link = await linkTo(second);
    await page.evaluate((hash) => (location.hash = hash), new URL(link).hash);
    await expect(page.getByText('Signed out.')).toBeHidden();
    await second.run('quick', [{ n: 1 }]);
    await expect(page.getByRole('row').filter({ hasText: 'quick' })).toBeVisible();
  } finally {
    await second.close();
  }
});
