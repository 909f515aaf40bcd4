import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { statusPath, type TestApp } from '../builders/start-test-app.ts';
import {
  barriers,
  barriersInBothThemes,
  expect,
  linkTo,
  startApp,
  structureProblems,
  test,
} from './in-app.ts';

const logOf = (page: Page) => ({
  grid: page.getByRole('grid', { name: 'Calls' }),
  row: (text: string | RegExp) => page.getByRole('row').filter({ hasText: text }),
  panel: page.getByRole('complementary', { name: /^Call/ }),
  doctor: page.getByRole('region', { name: 'Polling doctor' }),
  limits: page.getByRole('region', { name: 'Limits in use' }),
});

/** A client in a hurry: seven polls of a run that allows six a minute. */
async function hurry(app: TestApp): Promise<string> {
  const runId = await app.run('waiting', [{ n: 1 }]);
  for (let n = 0; n < 7; n += 1)
    await app.call(statusPath('waiting', runId), { headers: { 'user-agent': 'script/1.0' } });
  return runId;
}

test('an empty log teaches a call, and shows it as soon as it is made', async ({ app, page, enter }) => {
  await enter('/log');
  await expect(page.getByText('curl -sS -X POST')).toBeVisible();
  expect(await barriers(page)).toEqual([]);
  await app.run('quick', [{ n: 1 }]);
  await expect(logOf(page).row('201')).toContainText('quick/runs/async');
});

test('the log says which client breaks which limit, and what is safe', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const app = await startApp({ limits: 'published' });
  try {
    const runId = await hurry(app);
    await page.goto(await linkTo(app, '/log'));
    const log = logOf(page);
    await expect(log.row('Rate limited')).toContainText('429');
    await expect(log.doctor).toContainText('Script polls too often');
    await expect(log.doctor).toContainText(
      /A pause of 10 s .* is safe.*the limit is 6 calls a minute for a run/,
    );
    const bounds = await log.doctor.boundingBox();
    expect(bounds?.height).toBeLessThan(40);
    await log.doctor.getByRole('button', { name: 'Show the fix' }).click();
    // The findings push the list down and cover nothing.
    const drawer = (await log.doctor.boundingBox()) ?? { y: 0, height: 0 };
    expect((await log.grid.boundingBox())?.y).toBeGreaterThanOrEqual(drawer.y + drawer.height);
    await log.doctor.getByRole('button', { name: /^Copy/ }).click();
    const fix = await page.evaluate(() => navigator.clipboard.readText());
    expect(fix).toContain(statusPath('waiting', runId));
    expect(fix).toContain('sleep 10');
    await expect(log.limits).toContainText('next in');
    await log.doctor.getByRole('button', { name: 'Show the call' }).click();
    await expect(log.doctor.getByRole('article')).toHaveCount(0);
    await expect(log.panel).toContainText('Retry after');
    await expect(log.panel).toContainText('status calls of the run');
    await expect(log.row('Rate limited')).toHaveAttribute('aria-selected', 'true');
    await log.doctor.getByRole('button', { name: 'Show the fix' }).click();
    await page.keyboard.press('Escape');
    await expect(log.doctor.getByRole('article')).toHaveCount(0);
    await expect(log.panel).toBeVisible();
    await page.keyboard.press('Enter');
    await log.doctor.getByRole('button', { name: /^Dismiss/ }).click();
    await expect(log.doctor).toContainText('No advice');
  } finally {
    await app.close();
  }
});

test('a full log with its panel has no barrier', async ({ page }) => {
  const app = await startApp({ limits: 'published' });
  try {
    await hurry(app);
    await page.goto(await linkTo(app, '/log?call=8'));
    const log = logOf(page);
    await expect(log.panel).toContainText('Retry after');
    await log.doctor.getByRole('button', { name: 'Show the fix' }).click();
    await expect(log.limits).toBeVisible();
    expect(await barriersInBothThemes(page)).toEqual([]);
    await page.keyboard.press('Escape');
    for (const tab of ['Request', 'Facts']) {
      await log.panel.getByRole('tab', { name: tab }).click();
      expect(await barriersInBothThemes(page)).toEqual([]);
    }
    await expect(log.panel).toContainText('status calls of the run');
    expect(await structureProblems(page)).toEqual([]);
  } finally {
    await app.close();
  }
});

test('the keys alone find a call, open it, walk on, and repeat it', async ({ app, page, enter }) => {
  await app.run('quick', [{ name: 'Ада 👩‍🚀 عمر' }]);
  await app.call(statusPath('none', 'x'));
  await app.trigger('echo', '{"rows":1}');
  await enter();
  await expect(page.getByRole('heading', { name: 'Runs', level: 1 })).toBeVisible();
  await page.keyboard.press('g');
  await page.keyboard.press('l');
  const log = logOf(page);
  await expect(log.grid).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(log.panel).toContainText('Expected a JSON object');
  await page.keyboard.press('j');
  await expect(log.panel).toContainText('Workflow not found');
  await page.keyboard.press('j');
  await expect(log.panel.getByRole('tab', { name: 'Answer' })).toHaveAttribute('aria-selected', 'true');
  await log.panel.getByRole('tab', { name: 'Request' }).click();
  await log.panel.getByRole('button', { name: 'Unfold 0' }).click();
  await expect(log.panel).toContainText('Ада 👩‍🚀 عمر');
  expect(page.url()).toContain('call=1');
  await log.panel.getByRole('tab', { name: 'Facts' }).click();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('repeat the call');
  await page.keyboard.press('Enter');
  await expect(log.panel).toContainText('call 1, from the app');
  await page.keyboard.press('Escape');
  await expect(log.panel).toBeHidden();
  await expect(log.grid).toBeFocused();
  await page.keyboard.press('/');
  await page.keyboard.type('not found');
  await expect(log.grid.getByRole('row')).toHaveCount(2);
  expect(page.url()).toContain('q=not');
});

test('an address with a call selects it and scrolls to it, and narrow lists keep the workflow', async ({
  app,
  page,
  enter,
}) => {
  await app.createKey(null);
  for (let n = 0; n < 60; n += 1)
    await app.call(statusPath('waiting', '01a2151d-715a-7489-9f7c-26bcf2851b4a'));
  await app.run('quick', [{ n: 1 }]);
  await page.setViewportSize({ width: 700, height: 600 });
  await enter('/log?call=16');
  const log = logOf(page);
  await expect(log.panel).toBeVisible();
  await page.keyboard.press('Escape');
  const row = page.locator('#call-16');
  await expect(row).toBeInViewport();
  await expect(log.grid).toHaveAttribute('aria-activedescendant', 'call-16');
  await expect(row.locator('.workflow')).toHaveText('waiting');
  const select = page.getByRole('combobox', { name: 'Workflow' });
  const clipped = await select.evaluate((each) => each.scrollWidth > each.clientWidth);
  expect(clipped).toBe(false);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(700);
});

test('the panel never repeats the call before while the next one loads', async ({ app, page, enter }) => {
  await app.trigger('echo', '{"rows":1}');
  await app.call(statusPath('none', 'x'));
  await enter('/log?call=1');
  const { panel } = logOf(page);
  const repeat = panel.getByRole('button', { name: 'Repeat' });
  await expect(repeat).toBeVisible();
  await page.route(
    (url) => url.pathname.includes('calls.show'),
    () => undefined,
  );
  await page.getByRole('row').filter({ hasText: 'none/runs' }).click();
  await expect(page).toHaveURL(/call=2/);
  await expect(repeat).toHaveCount(0);
});

test('a call is copied as curl without its key, and what is copied works', async ({
  app,
  page,
  enter,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await app.run('quick', [{ name: "it's" }]);
  await enter('/log?call=1');
  const { panel } = logOf(page);
  await panel.getByRole('button', { name: /^Copy as curl/ }).click();
  const text = await page.evaluate(() => navigator.clipboard.readText());
  expect(text).toContain('-H "x-service-key: $ROWBENCH_KEY"');
  expect(text).toContain(`'{"rows":[{"name":"it'\\''s"}]}'`);
  expect(text).not.toContain(app.key);
  expect(await page.content()).not.toContain(app.key);
  const env = { ...process.env, ROWBENCH_KEY: app.key };
  const { stdout } = await promisify(execFile)('sh', ['-c', text], { env });
  expect(stdout).toContain('"success":true');
});

test('nothing jumps under the pointer or while the list is paused', async ({ app, page, enter }) => {
  await app.call(statusPath('none', 'first'));
  await enter('/log');
  const log = logOf(page);
  await log.row('first').hover();
  const before = await log.row('first').boundingBox();
  await app.call(statusPath('none', 'second'));
  await expect(page.getByRole('button', { name: '1 newer call' })).toBeVisible();
  expect(await log.row('first').boundingBox()).toEqual(before);
  await page.getByRole('button', { name: '1 newer call' }).click();
  await expect(log.row('second')).toBeVisible();
  await page.getByRole('button', { name: 'Pause' }).click();
  await app.call(statusPath('none', 'third'));
  await expect(page.getByRole('button', { name: '1 newer call' })).toBeVisible();
  await page.getByRole('button', { name: 'Follow' }).click();
  await page.mouse.move(0, 0);
  await expect(log.row('third')).toBeVisible();
});

test('the list stays where it is when the doctor and the limits have something to say', async ({ page }) => {
  const app = await startApp({ limits: 'published' });
  try {
    for (const width of [1280, 900]) {
      await page.setViewportSize({ width, height: 800 });
      const first = `first-${width}`;
      await app.call(statusPath('none', first));
      await page.goto(await linkTo(app, '/log'));
      const log = logOf(page);
      await log.row(first).hover();
      const before = await log.row(first).boundingBox();
      await hurry(app);
      await expect(log.doctor).toContainText('Script polls too often');
      await expect(log.limits).toContainText('next in');
      expect(await log.row(first).boundingBox()).toEqual(before);
    }
  } finally {
    await app.close();
  }
});

test('the shown calls are exported as a HAR file', async ({ app, page, enter }) => {
  await app.run('quick', [{ n: 1 }]);
  await app.call(statusPath('none', 'x'));
  await enter('/log?outcome=refused');
  await expect(logOf(page).grid.getByRole('row')).toHaveCount(2);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export HAR' }).click();
  const har = JSON.parse(await readFile(await (await download).path(), 'utf8')) as {
    log: { version: string; entries: { response: { status: number } }[] };
  };
  expect([har.log.version, har.log.entries.map(({ response }) => response.status)]).toEqual(['1.2', [404]]);
});

test('thousands of calls, and a hundred a second, stay a short list that is whole to its end', async ({
  app,
  page,
  enter,
}) => {
  for (let n = 0; n < 1_500; n += 50)
    await Promise.all(Array.from({ length: 50 }, () => app.call(statusPath('none', 'x'))));
  await enter('/log');
  const log = logOf(page);
  await expect(page.getByRole('button', { name: /^All/ })).toContainText('1,500');
  expect(await page.getByRole('row').count()).toBeLessThan(60);
  await log.grid.focus();
  await page.keyboard.press('End');
  await expect(page.locator('#call-1')).toBeInViewport();
  await page.keyboard.press('Home');
  for (let n = 0; n < 10; n += 1)
    await Promise.all(Array.from({ length: 30 }, () => app.call(statusPath('none', 'y'))));
  await expect(page.getByRole('button', { name: '300 newer calls' })).toBeVisible();
  await page.getByRole('button', { name: '300 newer calls' }).click();
  await expect(page.locator('#call-1800')).toBeVisible();
});

test('text of a stranger stays text', async ({ app, page, enter, problems }) => {
  const payload = '<img src=x onerror=alert(1)>';
  await app.call(`/api/v1/workflows/${encodeURIComponent(payload)}/runs/x/async/status?q=${payload}`, {
    headers: { 'user-agent': payload },
  });
  await app.trigger('echo', JSON.stringify({ rows: [{ [payload]: payload }] }));
  await enter('/log?call=1');
  const { panel } = logOf(page);
  for (const tab of ['Facts', 'Request', 'Answer']) {
    await panel.getByRole('tab', { name: tab }).click();
    await expect(panel).toContainText('onerror');
  }
  await page.keyboard.press('k');
  await expect(page.locator('img')).toHaveCount(0);
  expect(problems).toEqual([]);
});
