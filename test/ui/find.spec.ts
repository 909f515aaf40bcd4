// The search in the rows of all runs.
import { barriers, callOf, expect, holdAnswer, startApp, structureProblems, test } from './in-app.ts';

const people = [{ name: 'Bob' }, { name: 'Ada "Countess" L.', note: '<b>x</b>' }, { name: 'Cem' }];

test('the keys alone find a value, mark it and open its row', async ({ app, page, enter }) => {
  await app.run('quick', [{ name: 'Dora "Countess" V.' }]);
  await app.run('echo', people);
  const newest = await app.run('echo', people);
  await enter();
  await expect(page.getByRole('row').filter({ hasText: 'quick' })).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('search in the rows');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Search in the rows of all runs');
  await expect(page.getByRole('searchbox', { name: 'Text to search for' })).toBeFocused();
  expect(await barriers(page)).toEqual([]);
  await page.keyboard.type('"countess"');
  await page.keyboard.press('Enter');
  const status = page.getByRole('status').filter({ hasText: 'found in' });
  await expect(status).toHaveText(/values? found in 3 runs$/);
  await expect(page).toHaveURL(/\/find#q=%22countess%22$/);
  const hits = page.getByRole('list', { name: 'Values found' }).getByRole('link');
  await expect(hits).toHaveCount(2);
  await expect(hits.first()).toContainText('row 2');
  await expect(hits.first()).toContainText('Ada "Countess" L. echo');
  await expect(hits.first()).toContainText(/Completed.*(now|ago)/);
  await expect(hits.first().locator('mark')).toHaveText(['"Countess"', '"Countess"']);
  expect(await barriers(page)).toEqual([]);
  expect(await structureProblems(page)).toEqual([]);
  // Keys pass over the older run, which is closed.
  await hits.first().focus();
  await page.keyboard.press('ArrowDown');
  await expect(hits.last()).toBeFocused();
  await expect(hits.last()).toContainText('quick');
  await page.getByText('The same in 1 older run').click();
  await expect(hits).toHaveCount(3);
  await expect(hits.nth(1)).toContainText(/Completed.*(now|ago)/);
  expect(await barriers(page)).toEqual([]);
  await hits.first().focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/runs/${newest}\\?row=2$`));
  await expect(page.getByRole('complementary', { name: /^Row 2/ })).toBeVisible();
  await page.goBack();
  await expect(status).toHaveText(/values? found in 3 runs$/);
});

test('workflow and side narrow the search, and a reload repeats it', async ({ app, page, enter }) => {
  await app.run('echo', people);
  await app.run('quick', people);
  await enter('/runs');
  await expect(page.getByRole('grid', { name: 'Runs' })).toBeVisible();
  await page.goto(new URL('/find#q=cem&in=input', page.url()).href);
  const hits = page.getByRole('list', { name: 'Values found' }).getByRole('link');
  await expect(page.getByRole('status').filter({ hasText: 'in 2 runs' })).toBeVisible();
  await expect(hits).toHaveCount(2);
  await page.getByRole('combobox', { name: 'Workflow' }).selectOption('echo');
  await expect(page.getByRole('status').filter({ hasText: 'in 1 run' })).toBeVisible();
  await expect(hits).toHaveCount(1);
  await page.getByRole('combobox', { name: 'Values' }).selectOption('Only outputs');
  await expect(page).toHaveURL(/in=output/);
  await page.getByRole('combobox', { name: 'Values' }).selectOption('Only rows');
  await expect(hits).toHaveCount(1);
  await page.reload();
  await expect(hits).toHaveCount(1);
  await page.getByRole('searchbox').fill('nowhere');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('status').filter({ hasText: 'Nothing found in 1 run' })).toBeVisible();
});

test('a search is stopped, goes on, and tells why it failed', async ({ app, page, enter }) => {
  await app.run('echo', people);
  await enter('/find');
  const late = await holdAnswer(page, callOf('run.find'));
  await page.getByRole('searchbox').fill('ada');
  await page.keyboard.press('Enter');
  await late.isBlocked;
  await expect(page.getByText('Searching…')).toBeVisible();
  await page.getByRole('button', { name: 'Stop' }).click();
  await late.free();
  await expect(page.getByRole('list', { name: 'Values found' })).toHaveCount(0);
  await page.unroute(callOf('run.find'));
  const refusal = {
    status: 500,
    headers: { 'x-rowbench-error': 'data_unreadable' },
    json: { success: false, error: 'The store cannot be read' },
  };
  await page.route(callOf('run.find'), (route) => route.fulfill(refusal), { times: 1 });
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('The store cannot be read');
  expect(await barriers(page)).toEqual([]);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('list', { name: 'Values found' }).getByRole('link').first()).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('a long list of hits comes in rounds, and nothing asks after the user has left', async ({ page }) => {
  const app = await startApp();
  try {
    await app.run(
      'echo',
      Array.from({ length: 450 }, (_, n) => ({ name: `needle ${n} ${'long '.repeat(50)}` })),
    );
    await page.setViewportSize({ width: 700, height: 700 });
    await page.goto((await app.handlers['server.link']({})).url);
    await expect(page.getByRole('grid', { name: 'Runs' })).toBeVisible();
    await page.goto(new URL('/find#q=NEEDLE&in=input', page.url()).href);
    const hits = page.getByRole('list', { name: 'Values found' }).getByRole('link');
    await expect(hits).toHaveCount(200);
    expect(await page.evaluate(() => document.body.scrollWidth <= innerWidth)).toBe(true);
    // By key: at the end of 200 hits the button moves while fonts load, and a click could miss it.
    await page.getByRole('button', { name: 'Search on' }).press('Enter');
    await expect(hits).toHaveCount(400);
    const late = await holdAnswer(page, callOf('run.find'));
    await page.getByRole('button', { name: 'Search on' }).press('Enter');
    await late.isBlocked;
    let calls = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('run.find')) calls += 1;
    });
    await page.getByRole('link', { name: 'Keys' }).click();
    await late.free();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Keys');
    expect(calls).toBe(0);
  } finally {
    await app.close();
  }
});
