// A run whose calls did not all go to the services says so wherever it is shown.
import type { Run } from '../../src-main/domain/run/run.ts';
import type { RunMode } from '../../src-main/domain/run/run-mode.ts';
import { queuedRun } from '../builders/run-record.ts';
import type { TestApp } from '../builders/start-test-app.ts';
import { companiesWorkflow, startCompanyService, type CompanyService } from './company-service.ts';
import {
  barriers,
  barriersInBothThemes,
  expect,
  linkTo,
  resize,
  runList,
  startApp,
  test as base,
} from './in-app.ts';

/** Runs that an earlier start has left: one for each way in which calls are answered. */
const ended = (number: number, more: Partial<Run>): Run => ({
  ...queuedRun({ runId: `0197c0de-0000-7000-8000-00000000000${number}`, workflowId: 'companies' }),
  ...(more as object),
  status: 'completed',
  finishedAt: new Date().toISOString(),
  counts: { rowsDone: 3, rowsFailed: 0 },
});

const test = base.extend<{ service: CompanyService; app: TestApp }>({
  service: async ({}, use) => {
    const service = await startCompanyService();
    await use(service);
    await service.close();
  },
  app: async ({ service }, use) => {
    const app = await startApp({
      workflows: { companies: companiesWorkflow(service.url) },
      runs: [
        ended(1, {}),
        ended(2, { mode: 'record' }),
        ended(3, { mode: 'replay', scenario: { 'fail-row': 3 } }),
        ended(4, { mode: 'mocks', mocks: { company: 'large' } }),
      ],
    });
    await app.services.trust.grant('companies', { allow: ['loopback'], deny: [] });
    await use(app);
    await app.close();
  },
});

async function start(app: TestApp, mode: RunMode): Promise<string> {
  const workflow = await app.services.workflows.find('companies');
  if (workflow === undefined) throw new Error('no workflow');
  const draft = await app.services.runs.beginRun({ workflow, origin: { kind: 'app' }, inputs: { mode } });
  await draft.write(Buffer.from('{"name":"acme"}\n'));
  const { runId } = await draft.accept(1);
  await expect.poll(async () => (await app.services.runs.get(runId)).run.status).toBe('completed');
  return runId;
}

test('the list has a badge for each run that is not live, also in a narrow window', async ({
  page,
  enter,
}) => {
  await enter();
  const badges = (number: number) => page.locator(`#run-0197c0de-0000-7000-8000-00000000000${number} .mark`);
  await expect(badges(4)).toHaveText(['Mocks']);
  await expect(badges(3)).toHaveText(['Replayed', 'Scenario']);
  await expect(badges(3).last()).toHaveAttribute('title', 'Scenario: fail-row=3');
  await expect(badges(2)).toHaveText(['Recorded']);
  await expect(badges(1)).toHaveCount(0);
  const cell = page.locator('#run-0197c0de-0000-7000-8000-000000000003 .workflow');
  for (const width of [700, 1280]) {
    await resize(page, width);
    expect(await cell.evaluate((each) => each.scrollWidth <= each.clientWidth)).toBe(true);
    expect(await cell.evaluate((each) => each.clientHeight)).toBeLessThan(28);
  }
  expect(await barriersInBothThemes(page)).toEqual([]);
});

test('runs of one kind are one chip away, by keyboard and by address', async ({ page, enter }) => {
  await enter();
  const list = runList(page);
  const chip = page.getByRole('group', { name: 'Calls' }).getByRole('button', { name: 'Replayed 1' });
  await chip.focus();
  await page.keyboard.press('Enter');
  await expect(chip).toHaveAttribute('aria-pressed', 'true');
  await expect(page).toHaveURL(/mark=replay/);
  await expect(list.row('Look up companies')).toHaveCount(1);
  await page.reload();
  await expect(list.row('Look up companies')).toHaveCount(1);
  await page.keyboard.press('/');
  await page.keyboard.type('mocks');
  await expect(page.getByRole('heading', { name: 'No run fits the filter' })).toBeVisible();
  await chip.click();
  await expect(list.row('Look up companies')).toHaveCount(1);
});

test('a run’s page and its calls say that the answers are replayed', async ({ app, service, page }) => {
  const recorded = await start(app, 'record');
  const replayed = await start(app, 'replay');
  expect(service.calls()).toBe(1);
  await page.goto(await linkTo(app, `/runs/${recorded}/matrix?row=1&node=company`));
  const header = page.getByRole('region', { name: 'This run' });
  const panel = page.getByRole('complementary', { name: /^Row/ });
  await expect(header).toContainText('Recorded');
  await expect(panel).toContainText(`GET ${service.url}/acme`);
  await expect(panel).not.toContainText('replayed');
  await page.goto(await linkTo(app, `/runs/${replayed}/matrix?row=1&node=company`));
  await expect(header).toContainText('Replayed');
  await expect(panel.getByRole('listitem').filter({ hasText: `${service.url}/acme` })).toContainText(
    'replayed',
  );
  expect(await barriers(page)).toEqual([]);
});
