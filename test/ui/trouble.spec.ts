// A server that is away for a moment: what did not come is said, and comes when it is tried again.
import type { Page } from '@playwright/test';
import { barriers, expect, linkTo, startApp, test as base } from './in-app.ts';
import type { TestApp } from '../builders/start-test-app.ts';

/** One server for the file: nothing here changes what it keeps. */
const test = base.extend<object, { readonly shared: TestApp }>({
  shared: [
    async ({}, use) => {
      const app = await startApp();
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
  { chunk: 'Matrix', of: 'a run', path: (runId: string) => `/runs/${runId}`, title: 'echo' },
])
  test(`the part of ${of} that did not load says so, and comes when it is tried again`, async ({
    page,
    shared,
  }) => {
    const runId = await shared.run('echo', [{ n: 1 }]);
    let asked = 0;
    await page.route(new RegExp(`/assets/${chunk}-.*\\.js`), (route) => {
      asked += 1;
      return asked === 1 ? route.abort() : route.continue();
    });
    await page.goto(await linkTo(shared, path(runId)));
    await expect(page.getByRole('heading', { name: 'This part of the page did not load' })).toBeVisible();
    expect(await barriers(page)).toEqual([]);
    await again(page).click();
    await expect(page.getByRole('heading', { name: title })).toBeVisible();
    await expect(again(page)).toHaveCount(0);
    await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0);
    expect(asked).toBe(2);
  });
