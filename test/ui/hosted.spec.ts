// Runs at a hosted service in the pages, against a service built from the interface document.
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startFakeHosted } from '../builders/fake-hosted.ts';
import { workflowText } from '../builders/workflow-text.ts';
import { barriersInBothThemes, expect, linkTo, startApp, test } from './in-app.ts';

const score = (row: Readonly<Record<string, unknown>>) => ({
  id: row['id'],
  score: Number(row['n'] ?? 0) * 2,
});

test('a connection is added and tested by keyboard, and its key is seen nowhere', async ({ page }) => {
  const service = await startFakeHosted({ sample: score }, { hasLimits: false });
  const app = await startApp({ workflows: { sample: workflowText('') } });
  try {
    const sent: string[] = [];
    page.on('response', (response) => {
      if (response.url().includes('/call/')) void response.text().then((text) => sent.push(text));
    });
    await page.goto(await linkTo(app, '/settings/hosted'));
    await page.getByRole('button', { name: 'Add a connection' }).press('Enter');
    await page.keyboard.type('prod');
    await page.keyboard.press('Tab');
    await page.keyboard.type(`${service.url}/api`);
    await page.keyboard.press('Tab');
    await page.keyboard.type('x-acme-key');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alert')).toContainText('give the origin alone');
    await expect(page.getByLabel('Key', { exact: true })).toBeHidden();
    await page.getByRole('textbox', { name: 'Address' }).fill(service.url);
    await page.keyboard.press('Enter');
    await expect(page.getByLabel('Key', { exact: true })).toBeFocused();
    await page.keyboard.type(service.key);
    await page.keyboard.press('Enter');
    const connection = page.getByRole('listitem', { name: 'prod' });
    await expect(connection).toContainText(service.url);
    await expect(connection).toContainText('50 % of the key’s limits');
    await page.getByRole('button', { name: 'Test prod' }).press('Enter');
    await page.getByRole('textbox', { name: 'Workflow at the service' }).press('Enter');
    await expect(page.getByRole('dialog').getByRole('status')).toContainText('Connected');
    expect(service.posts).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await barriersInBothThemes(page)).toEqual([]);
    expect(sent.join()).not.toContain(service.key);
    expect(await page.content()).not.toContain(service.key);
    expect(JSON.stringify(await page.context().storageState())).not.toContain(service.key);
  } finally {
    await app.close();
    await service.close();
  }
});

test('rows run there from the app; an unknown outcome has three ways out, after a restart, too', async ({
  page,
}) => {
  const cut = new Set([1, 2, 4]);
  const service = await startFakeHosted(
    { sample: ({ n }) => ({ score: Number(n) * 2 }) },
    { hasLimits: false, fault: (nth) => (cut.has(nth) ? 'cut-after' : undefined) },
  );
  const home = await mkdtemp(join(tmpdir(), 'rowbench-hosted-'));
  const start = () => startApp({ workflows: { sample: workflowText('') }, home });
  let app = await start();
  try {
    const connection = { name: 'prod', url: service.url, header: 'x-acme-key', key: service.key };
    await app.handlers['hosted.add'](connection);
    await page.goto(await linkTo(app, '/workflows/sample/run?view=json'));
    await page.getByRole('textbox', { name: 'Rows as JSON' }).fill('[{"n":1},{"n":2},{"n":3}]');
    await page.getByRole('button', { name: 'Run options' }).click();
    const options = page.getByRole('dialog', { name: 'Run options' });
    await options.getByLabel('Run on').selectOption('prod');
    await expect(options).toContainText('1 call starts the run with 3 rows');
    expect(await barriersInBothThemes(page)).toEqual([]);
    await options.getByRole('button', { name: 'Run 3 rows on prod' }).click();
    const head = page.getByRole('region', { name: 'This run' });
    await expect(head).toContainText('3 of 3 done');
    await expect(head).toContainText('On prod');
    await expect(head).toContainText('matched by their order, which is not proven');
    await expect(page.getByRole('columnheader', { name: 'score' })).toBeVisible();
    await expect(page.getByRole('gridcell', { name: 'order not proven' })).toHaveCount(3);
    await expect(page.getByRole('tab')).toHaveText(['Rows']);

    const again = page.getByRole('button', { name: 'Run all 3 rows again on prod' });
    const banner = page.getByRole('group', { name: 'Outcome unknown' });
    await again.click();
    await expect(banner).toContainText('Rowbench does not send the rows again by itself');
    const unknown = new URL(page.url()).pathname;
    await app.close();
    app = await start();
    await page.goto(await linkTo(app, unknown));
    await expect(head).toContainText('0 of 3 done · 3 unknown');
    await expect(page.getByRole('gridcell', { name: 'Unknown' })).toHaveCount(3);
    await page.getByRole('button', { name: 'Other steps' }).click();
    const step = page.getByRole('menuitem', { name: 'Run all 3 rows again on prod' });
    await expect(step).toBeDisabled();
    await expect(step).toContainText('may be billed twice');
    await page.keyboard.press('Escape');
    await page.getByRole('gridcell', { name: 'Unknown' }).first().click();
    const fix = page.getByRole('button', { name: 'Fix this row…' });
    await expect(fix).toBeDisabled();
    await expect(fix).toHaveAttribute('title', /may be billed twice/);
    await expect(page.getByRole('complementary', { name: 'Row 1' })).toContainText('Outcome unknown');
    expect(await barriersInBothThemes(page)).toEqual([]);

    await banner.getByRole('button', { name: 'Attach id…' }).press('Enter');
    await page.keyboard.type('run_of_others');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alert')).toContainText('prod has no run run_of_others');
    await page.getByRole('textbox', { name: 'Id of the run at prod' }).fill(service.posts[1]?.runId ?? '');
    await page.keyboard.press('Enter');
    await expect(head).toContainText('3 of 3 done');
    expect(service.posts).toHaveLength(2);

    await again.click();
    await banner.getByRole('button', { name: 'Send again…' }).press('Enter');
    const question = page.getByRole('dialog');
    await expect(question).toContainText('you may be billed twice');
    await question.getByRole('button', { name: 'Send again' }).press('Enter');
    await expect(head).toContainText('3 of 3 done');
    expect(service.posts).toHaveLength(4);

    await again.click();
    await expect(banner).toBeVisible();
    await page.goto(`${app.url}/runs`);
    const line = page.getByRole('row', { name: /3 unknown/ });
    await line.getByRole('checkbox').check();
    const rerun = page.getByRole('toolbar').getByRole('button', { name: 'Rerun', exact: true });
    await expect(rerun).toBeDisabled();
    await expect(rerun).toHaveAttribute('title', /may be billed twice: open the run/);
    await page.goBack();
    await banner.getByRole('button', { name: 'Cancel…' }).press('Enter');
    await expect(question).toContainText('If prod has its rows, it goes on there');
    await question.getByRole('button', { name: 'Cancel the run' }).press('Enter');
    await expect(head).toContainText('Cancelled');
    expect(service.posts).toHaveLength(5);
  } finally {
    await app.close();
    await service.close();
  }
});
