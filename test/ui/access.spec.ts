import { barriersInBothThemes, expect, resize, test } from './in-app.ts';

test('no screen has a barrier', async ({ app, page, enter }) => {
  await page.goto(app.url);
  await expect(page.getByRole('heading', { name: 'Pair this browser' })).toBeVisible();
  expect(await barriersInBothThemes(page)).toEqual([]);
  await enter();
  await expect(page.getByRole('heading', { name: 'No runs yet' })).toBeVisible();
  expect(await barriersInBothThemes(page)).toEqual([]);
  await app.run('waiting', [{ n: 1 }]);
  await app.run('quick', [{ n: 1 }]);
  const failed = await app.run('failing', [{ n: 1 }, { n: 2 }, { n: 3 }]);
  await expect(page.getByRole('row').filter({ hasText: 'Failed' })).toBeVisible();
  await page.getByRole('grid').focus();
  await page.keyboard.press('x');
  await expect(page.getByRole('toolbar')).toBeVisible();
  expect(await barriersInBothThemes(page)).toEqual([]);
  await page.getByRole('toolbar').getByRole('button', { name: 'Unselect' }).click();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'All keys' })).toBeFocused();
  expect(await barriersInBothThemes(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog', { name: 'Commands' })).toBeVisible();
  expect(await barriersInBothThemes(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await enter('/find');
  await expect(page.getByRole('heading', { name: 'Search in the rows of all runs' })).toBeVisible();
  expect(await barriersInBothThemes(page)).toEqual([]);
  await enter(`/compare/${failed}/${failed}`);
  await expect(page.getByRole('heading', { name: 'No differences' })).toBeVisible();
  expect(await barriersInBothThemes(page)).toEqual([]);
  await enter(`/runs/${failed}/why`);
  await expect(page.getByRole('tabpanel')).toContainText('company, line 5 of the file');
  expect(await barriersInBothThemes(page)).toEqual([]);
});

test('no screen of keys and workflows has a barrier', async ({ page, enter }) => {
  await enter('/workflows');
  await expect(page.getByRole('row').filter({ hasText: '1 error' })).toBeVisible();
  expect(await barriersInBothThemes(page)).toEqual([]);
  await enter('/keys');
  await expect(page.getByRole('cell', { name: 'test', exact: true })).toBeVisible();
  expect(await barriersInBothThemes(page)).toEqual([]);
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('radio', { name: 'Only these:' }).check();
  expect(await barriersInBothThemes(page)).toEqual([]);
  await page.getByRole('radio', { name: 'All workflows' }).check();
  await page.getByRole('textbox', { name: 'Name' }).fill('new');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Your new key' })).toBeVisible();
  expect(await barriersInBothThemes(page)).toEqual([]);
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Revoke the key new' }).click();
  expect(await barriersInBothThemes(page)).toEqual([]);
});

test('at the widths that a zoom leaves, nothing is cut off sideways', async ({ app, page, enter }) => {
  const runId = await app.run('failing', [{ n: 1 }, { n: 2 }, { n: 3 }]);
  for (const path of ['/runs', '/workflows', '/keys', '/find', `/compare/${runId}/${runId}`]) {
    await enter(path);
    for (const width of [900, 640, 320]) {
      await resize(page, width, 600);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      await expect(page.getByRole('link', { name: 'Keys' })).toBeVisible();
    }
  }
});

test('the focus is always somewhere that is seen, all the way round', async ({ app, page, enter }) => {
  await app.run('quick', [{ n: 1 }]);
  await enter();
  await expect(page.getByRole('row').filter({ hasText: 'quick' })).toBeVisible();
  for (let n = 0; n < 24; n += 1) {
    await page.keyboard.press('Tab');
    const isSeen = await page.evaluate(() => {
      const ringed = (element: Element | null): boolean =>
        element !== null &&
        (getComputedStyle(element).outlineStyle !== 'none' || getComputedStyle(element).boxShadow !== 'none');
      const focused = document.activeElement;
      // Past the last one the browser's own controls have it.
      if (focused === null || focused === document.body) return true;
      return ringed(focused) || ringed(focused.closest('label')) || ringed(focused.querySelector('.active'));
    });
    expect(isSeen, await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 120))).toBe(true);
  }
});

test('the appearance that was chosen stays', async ({ page, enter }) => {
  await enter();
  const theme = () => page.locator('html').getAttribute('data-theme');
  await page.getByRole('button', { name: 'Appearance: system. Change' }).click();
  await page.getByRole('button', { name: 'Appearance: light. Change' }).click();
  expect(await theme()).toBe('dark');
  await page.reload();
  expect(await theme()).toBe('dark');
});

test('a button keeps the focus while what it does is under way, and a new view takes it', async ({
  app,
  page,
  enter,
}) => {
  const runId = await app.run('waiting', [{ n: 1 }]);
  await enter(`/runs/${runId}`);
  let letGo = (): void => undefined;
  const blocked = new Promise<void>((resolve) => (letGo = resolve));
  await page.route('**/call/run.pause', async (route) => {
    await blocked;
    await route.continue();
  });
  const pause = page.getByRole('button', { name: 'Pause', exact: true });
  await pause.focus();
  await page.keyboard.press('Enter');
  await expect(pause).toHaveAttribute('aria-disabled', 'true');
  await expect(pause).toBeFocused();
  letGo();
  await expect(pause).toBeHidden();
  await page.getByRole('link', { name: 'Keys' }).press('Enter');
  await expect(page.getByRole('heading', { name: 'Keys', exact: true })).toBeVisible();
  // Its list takes the keys.
  await expect(page.locator('#view:focus-within')).toHaveCount(1);
});
