// An action applies to what the user saw when they requested it: even if the user presses twice, types on or leaves
// before the answer arrives, or if others change the data meanwhile.
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { callOf, expect, holdAnswer, runList, test } from './in-app.ts';

const imported = `rowbench: 1
id: one
nodes:
  - { id: input, type: input }
  - { id: result, type: output, fields: { n: "=row.n" } }
`;

/** Number of requests for the procedure that the page has sent so far. */
function countCalls(page: Page, procedure: string): () => number {
  let requests = 0;
  page.on('request', (request) => {
    if (request.url().endsWith(`/call/${procedure}`)) requests += 1;
  });
  return () => requests;
}

test('trust is given to the file that was looked at, and to no later one', async ({ app, page, enter }) => {
  const folder = await mkdtemp(join(app.dataDir, 'import-'));
  await writeFile(join(folder, 'one.workflow.yaml'), imported);
  await app.handlers['workflow.import']({ path: folder, replaces: false });
  const show = () => app.handlers['workflow.show']({ workflowId: 'one' });
  await enter('/workflows/one');
  const trusting = page.getByRole('button', {
    name: 'Not trusted yet: look and trust…',
    includeHidden: true,
  });
  const dialog = page.getByRole('dialog', { name: 'Trust one?' });
  await trusting.click();
  await expect(dialog).toContainText('Nothing outside');
  const { file } = await show();
  const evil =
    '  - { id: evil, type: http, request: { url: https://evil.example.com/v1 } }\n  - { id: result';
  await writeFile(file, (await readFile(file, 'utf8')).replace('  - { id: result', evil));
  await app.services.workflows.refresh();
  await expect(trusting).toHaveAttribute('title', /evil\.example\.com/);
  await expect(dialog).not.toContainText('evil.example.com');
  await dialog.getByRole('button', { name: 'Trust', exact: true }).click();
  await expect(page.getByRole('log')).toContainText('has changed since it was shown');
  expect((await show()).trust).toBe('untrusted');
  await trusting.click();
  await expect(dialog).toContainText('evil.example.com');
  await dialog.getByRole('button', { name: 'Trust', exact: true }).click();
  await expect.poll(async () => (await show()).trust).toBe('trusted');
});

test('a rerun that is requested twice is made once', async ({ app, page, enter }) => {
  const requests = countCalls(page, 'run.rerun');
  const runId = await app.run('failing', [{ n: 1 }, { n: 2 }, { n: 3 }]);
  await expect.poll(async () => (await app.handlers['run.show']({ runId })).status).toBe('failed');
  await enter(`/runs/${runId}/why`);
  await page
    .getByRole('tabpanel')
    .getByRole('button', { name: /^Rerun \d/ })
    .dblclick();
  await expect(page.getByText('2 attempts')).toBeVisible();
  expect(requests()).toBe(1);
});

test('the palette keeps its mark on the command that it was put on', async ({ app, page, enter }) => {
  const runId = await app.run('waiting', [{ n: 1 }]);
  await enter(`/runs/${runId}`);
  await expect(page.getByRole('button', { name: 'Pause', exact: true })).toBeVisible();
  await page.keyboard.press('Control+k');
  const marked = page.getByRole('option', { selected: true });
  const mark = async (command: RegExp) => {
    for (let steps = 0; steps < 60; steps += 1) {
      if (command.test((await marked.textContent()) ?? '')) return;
      await page.keyboard.press('ArrowDown');
    }
    throw new Error(`no ${command.source} in sixty steps`);
  };
  await mark(/This run\s*Run the row again\s*$/);
  await app.handlers['run.pause']({ runId });
  await expect(page.getByRole('option').filter({ hasText: /Resume\s*$/ })).toBeVisible();
  await expect(marked).toHaveText(/This run\s*Run the row again\s*$/);
  await mark(/This run\s*Resume\s*$/);
  await app.handlers['run.cancel']({ runId });
  await expect(page.getByRole('option').filter({ hasText: /Resume\s*$/ })).toHaveCount(0);
  // What it was put on is gone: nothing is done until something else is chosen.
  await expect(marked).toHaveCount(0);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Commands' })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await expect(marked).toHaveCount(1);
});

test('runs that leave the filter keep their places while the pointer is on them', async ({
  app,
  page,
  enter,
}) => {
  const ids: string[] = [];
  for (const n of [1, 2, 3]) ids.push(await app.run('waiting', [{ n }]));
  const [, middle = '', top = ''] = ids;
  await enter('/runs?status=running');
  const list = runList(page);
  await expect(list.row('Running')).toHaveCount(3);
  const box = page.locator(`#run-${middle} input`);
  await box.hover();
  const before = await box.boundingBox();
  await app.handlers['run.cancel']({ runId: top });
  await expect(page.locator(`#run-${top}`)).toContainText('Cancelled');
  expect(await box.boundingBox()).toEqual(before);
  await page.mouse.down();
  await page.mouse.up();
  await expect(box).toBeChecked();
  await expect(page.getByRole('toolbar')).toContainText('1 run selected');
  await page.getByRole('heading', { name: 'Runs', level: 1 }).hover();
  await list.grid.blur();
  await expect(page.locator(`#run-${top}`)).toHaveCount(0);
  await page.getByRole('toolbar').getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('dialog')).toContainText(`waiting …${middle.slice(-8)}`);
});

test('what is typed and selected while a verb is under way stays', async ({ app, page, enter }) => {
  for (const n of [1, 2]) await app.run('quick', [{ n }]);
  await enter();
  const { grid } = runList(page);
  const [bar, field] = [page.getByRole('toolbar'), page.getByRole('searchbox', { name: 'Filter runs' })];
  await grid.focus();
  await page.keyboard.press('x');
  const first = await holdAnswer(page, callOf('run.rerun'));
  await bar.getByRole('button', { name: 'Rerun' }).click();
  await first.isBlocked;
  await grid.focus();
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await expect(bar).toContainText('2 runs selected');
  await page.keyboard.press('/');
  await page.keyboard.type('qui');
  await first.free();
  await expect(bar).toContainText('1 run selected');
  await page.keyboard.type('ck');
  await expect(field).toHaveValue('quick');
});

test('a row that is found late takes no letters', async ({ app, page, enter }) => {
  const runId = await app.run(
    'quick',
    Array.from({ length: 40 }, (_, n) => ({ n })),
  );
  await expect.poll(async () => (await app.handlers['run.show']({ runId })).status).toBe('completed');
  await enter(`/runs/${runId}/matrix`);
  const field = page.getByRole('searchbox', { name: 'Search in all rows' });
  const first = await holdAnswer(page, callOf('run.locate'));
  await field.fill('30');
  await field.press('Enter');
  await first.isBlocked;
  await field.fill('');
  await field.pressSequentially('1');
  await first.free();
  await page.keyboard.type('2');
  await expect(field).toHaveValue('12');
});

test('an open value is not requested again at each change of its run', async ({ app, page, enter }) => {
  const requests = countCalls(page, 'run.value');
  const runId = await app.run('waiting', [{ n: { a: 1 } }, { n: 2 }]);
  await enter(`/runs/${runId}/rows`);
  await page.getByRole('grid').focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('complementary')).toContainText('Row 1');
  await expect.poll(requests).toBe(1);
  const progress = page.getByRole('region', { name: 'This run' });
  await app.handlers['run.pause']({ runId });
  await expect(progress).toContainText('Paus');
  await app.handlers['run.resume']({ runId });
  await expect(progress).toContainText('Running');
  expect(requests()).toBe(1);
});

test('a message stays where it is while the pointer is on it', async ({ app, page, enter }) => {
  await app.run('quick', [{ n: 1 }]);
  await page.clock.install();
  await enter();
  const messages = page.getByRole('log', { name: 'Messages' });
  const rerun = async () => {
    await runList(page).grid.focus();
    await page.keyboard.press('x');
    await page.getByRole('toolbar').getByRole('button', { name: 'Rerun' }).press('Enter');
    await expect(page.getByRole('toolbar')).toBeHidden();
  };
  await rerun();
  const first = messages.locator('p').filter({ hasText: 'rerun' }).last();
  await first.hover();
  const before = await first.boundingBox();
  await rerun();
  await expect(messages.getByRole('button', { name: 'Dismiss' })).toHaveCount(2);
  expect(await first.boundingBox()).toEqual(before);
  await page.clock.fastForward(60_000);
  expect(await first.boundingBox()).toEqual(before);
  await page.getByRole('heading', { name: 'Runs', level: 1 }).hover();
  await expect(messages.getByRole('button', { name: 'Dismiss' })).toHaveCount(0);
});
