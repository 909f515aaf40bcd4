// A tester's walk without the command line: record, replay, run a scenario, save as test, and the test passes.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import type { TestApp } from '../builders/start-test-app.ts';
import { companiesWorkflow, startCompanyService, type CompanyService } from './company-service.ts';
import { barriers, barriersInBothThemes, expect, linkTo, resize, startApp, test as base } from './in-app.ts';

const test = base.extend<{ service: CompanyService; app: TestApp }>({
  service: async ({}, use) => {
    const service = await startCompanyService();
    await use(service);
    await service.close();
  },
  app: async ({ service }, use) => {
    const app = await startApp({ workflows: { companies: companiesWorkflow(service.url) } });
    await app.services.trust.grant('companies', { allow: ['loopback'], deny: [] });
    await use(app);
    await app.close();
  },
});

/** Clicks, and counts them. */
function countedClicks() {
  let clicks = 0;
  const click = async (target: Locator): Promise<void> => {
    clicks += 1;
    await target.click();
  };
  return { click, clicks: () => clicks };
}

test('a run is recorded, replayed, run with a scenario and saved as a test that passes, in ten clicks', async ({
  app,
  service,
  page,
  enter,
}) => {
  await enter('/workflows/companies/run?rows=test');
  const { click, clicks } = countedClicks();
  const header = page.getByRole('region', { name: 'This run' });
  const dialog = page.getByRole('dialog');
  const rerun = page.getByRole('button', { name: 'Other steps' });

  await click(page.getByRole('button', { name: 'Run options' }));
  await expect(dialog).toContainText(
    'the answers are saved in companies.cassette.json, next to the workflow',
  );
  expect(await barriers(page)).toEqual([]);
  await click(dialog.getByRole('radio', { name: /^Record/ }));
  await click(dialog.getByRole('button', { name: /^Run 2 rows/ }));
  await expect(header).toContainText('Recorded');
  await expect(header).toContainText('2 of 2 done');
  expect(service.calls()).toBe(2);

  await click(rerun);
  await click(page.getByRole('menuitem', { name: /Replay recorded answers/ }));
  await expect(header).toContainText('Replayed');
  await expect(header).toContainText('2 of 2 done');

  await click(rerun);
  await click(page.getByRole('menuitem', { name: /^Inject failures/ }));
  await click(dialog.getByRole('checkbox', { name: 'Each row is slow' }));
  await expect(dialog.getByRole('spinbutton', { name: 'Each row is slow: number' })).toHaveValue('200');
  expect(await barriers(page)).toEqual([]);
  await click(dialog.getByRole('button', { name: 'Rerun 2 rows' }));
  await expect(header.getByText('Scenario', { exact: true })).toBeVisible();
  await expect(header).toContainText('2 of 2 done');
  expect(service.calls()).toBe(2);

  await click(page.getByRole('button', { name: 'More', exact: true }));
  await click(page.getByRole('menuitem', { name: 'Save as test' }));
  await click(dialog.getByRole('button', { name: 'Add test' }));
  await expect(dialog).toContainText('companies.tests.yaml, next to the workflow');
  await expect(dialog.getByRole('status')).toHaveText('1 test passed.');
  expect(clicks()).toBeLessThanOrEqual(12);
  expect(await barriers(page)).toEqual([]);

  const tests = await readFile(join(app.dataDir, 'workflows/companies.tests.yaml'), 'utf8');
  expect(tests).toContain('cassette: companies.cassette.json');
  expect(tests).toContain('scenario: slow=200ms');
  await dialog.getByRole('button', { name: 'Open tests' }).click();
  await expect(page.getByText('1 test passed')).toBeVisible();
  expect(service.calls()).toBe(2);
});

test('the menu of scenarios fits wide and narrow windows', async ({ page, enter }) => {
  await enter('/workflows/companies/run?rows=test');
  await page.getByRole('button', { name: 'Run options' }).click();
  const dialog = page.getByRole('dialog', { name: 'Run options' });
  await dialog.getByText('Inject failures (for testing)').click();
  const services = dialog.getByRole('group', { name: 'Services that the run calls' });
  await expect(services.getByRole('checkbox')).toHaveCount(4);
  const client = dialog.getByRole('group', { name: 'What the polling client sees' });
  await expect(client.getByRole('checkbox')).toHaveCount(5);
  for (const name of [
    'Service answers 429',
    'Service answers 500',
    'Service is slow',
    'Service gives no answer',
    'Polling client gets 429',
    'Polling client gets 500',
    'Each row is slow',
    'Run pauses midway',
    'One row fails',
    'Fixed seed',
  ]) {
    await dialog.getByRole('checkbox', { name }).check();
    await expect(dialog.getByRole('spinbutton', { name: `${name}: number` })).toBeVisible();
  }
  await dialog.getByRole('spinbutton', { name: 'Polling client gets 429: number' }).fill('90');
  await dialog.getByRole('checkbox', { name: 'Each row is slow' }).focus();
  await expect(dialog.getByRole('spinbutton', { name: 'Polling client gets 500: number' })).toHaveValue('10');
  for (const width of [700, 1280]) {
    await resize(page, width);
    expect(await dialog.evaluate((each) => each.scrollWidth <= each.clientWidth)).toBe(true);
  }
  expect(await barriersInBothThemes(page)).toEqual([]);
});

test('a run that was not recorded says what its test needs', async ({ app, page }) => {
  const runId = await app.run('companies', [{ name: 'acme' }]);
  await expect.poll(async () => (await app.services.runs.get(runId)).run.status).toBe('completed');
  await page.goto(await linkTo(app, `/runs/${runId}`));
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Save as test' }).click();
  await page.getByRole('button', { name: 'Add test' }).click();
  await expect(page.getByRole('dialog')).toContainText('It cannot run yet');
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Other steps' }).click();
  await expect(page.getByRole('menuitem', { name: /Replay/ })).toHaveCount(0);
});

test('answers that a scenario gave are marked in the API log', async ({ app, page, enter }) => {
  await app.handlers['settings.change']({
    scenarios: { header: false, workflows: { companies: 'api-5xx=1' } },
  });
  const runId = await app.run('companies', [{ name: 'acme' }]);
  const answer = await app.call(`/api/v1/workflows/companies/runs/${runId}/async/status`);
  expect(answer.status).toBe(500);
  await enter('/log');
  const row = page.getByRole('row').filter({ hasText: 'by scenario' });
  await expect(row).toHaveCount(1);
  await expect(row).toContainText('500');
  await row.click();
  await expect(page.getByRole('complementary', { name: /^Call/ })).toContainText('By scenario: the run’s');
  await page.setViewportSize({ width: 700, height: 800 });
  expect(await barriers(page)).toEqual([]);
});
