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
  'a link opens the app, and nothing that lets in is left where a script could find it',
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

test('a reloaded page says what to do, and a new link pasted into it opens the place that it was at', async ({
  app,
  page,
  enter,
}) => {
  await enter('/keys');
  await expect(page.getByRole('heading', { name: 'Keys' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'This page needs a new link' })).toBeVisible();
  await expect(page.getByText('rowbench open', { exact: true })).toBeVisible();
  const link = await linkTo(app, '/keys');
  await page.evaluate((hash) => (location.hash = hash), new URL(link).hash);
  await expect(page.getByRole('heading', { name: 'Keys' })).toBeVisible();
});

test('a reloaded page takes a new link into its field, and says of what is none', async ({
  app,
  page,
  enter,
}) => {
  await enter('/keys');
  await page.reload();
  const field = page.getByRole('textbox', { name: 'New link' });
  await field.fill('https://example.com/');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toContainText('This link has no code in it');
  await field.fill(await linkTo(app));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Keys' })).toBeVisible();
  expect(page.url()).toBe(`${app.url}/keys`);
});

test('rows that were typed outlive the server: a new link pasted into the page goes on with them', async ({
  page,
}) => {
  const first = await startApp();
  await page.goto(await linkTo(first, '/workflows/quick/run?view=json'));
  await page.getByRole('textbox', { name: 'Rows as JSON' }).fill('[{"n":1},{"n":2}]');
  await expect(page.getByRole('button', { name: 'Run 2 rows' })).toBeVisible();
  await first.close();
  await expect(page.getByText('Is it still running? What you see may be old.')).toBeVisible();
  const second = await startApp({ port: first.port });
  try {
    await expect(page.getByText('This session has ended.')).toBeVisible();
    await expect(page.getByRole('region', { name: 'Command for a new link' })).toHaveText(
      `rowbench open --data "${first.dataDir}"`,
    );
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('textbox', { name: 'New link' }).fill(await linkTo(second));
    await page.getByRole('button', { name: 'Go on' }).click();
    await expect(page.getByText('This session has ended.')).toBeHidden();
    await expect(page.getByRole('textbox', { name: 'Rows as JSON' })).toHaveValue(/"n":2/);
    await page.getByRole('button', { name: 'Run 2 rows' }).click();
    await expect(page).toHaveURL(/\/runs\//);
    await expect(page.getByText('Completed')).toBeVisible();
  } finally {
    await second.close();
  }
});

test('a link that was used opens nothing', async ({ app, page, context }) => {
  const link = await linkTo(app);
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'No runs yet' })).toBeVisible();
  const other = await context.newPage();
  await other.goto(link);
  await expect(other.getByRole('heading', { name: 'This link does not open the app' })).toBeVisible();
  await expect(other.getByText('Run "rowbench open" for a new one')).toBeVisible();
});

test('a page without a session learns nothing from the server', async ({ app, page }) => {
  await app.run('quick', [{ n: 1 }]);
  await page.goto(`${app.url}/runs`);
  await expect(page.getByRole('heading', { name: 'This page needs a new link' })).toBeVisible();
  expect(await reachable(page)).not.toContain('quick');
});

test('a page says that the server is away, and that its session ended when another one came', async ({
  page,
}) => {
  const first = await startApp();
  await page.goto(await linkTo(first));
  await expect(page.getByRole('heading', { name: 'No runs yet' })).toBeVisible();
  await first.close();
  await expect(page.getByText('Not connected.')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Server .*away/ })).toBeVisible();
  const second = await startApp({ port: first.port });
  try {
    // It tries by itself too, and may have found the other server: then there is nothing to press any more.
    await page
      .getByRole('button', { name: 'Try now' })
      .click({ timeout: 2_000 })
      .catch(() => undefined);
    await expect(page.getByText('This session has ended.')).toBeVisible();
    const link = await linkTo(second);
    await page.evaluate((hash) => (location.hash = hash), new URL(link).hash);
    await expect(page.getByText('This session has ended.')).toBeHidden();
    await second.run('quick', [{ n: 1 }]);
    await expect(page.getByRole('row').filter({ hasText: 'quick' })).toBeVisible();
  } finally {
    await second.close();
  }
});
