// Runs at a hosted service in the pages, against a service built from the interface document.
import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from '@playwright/test';
import { hostedWorkflow } from '../../src-main/domain/hosted/recorded-files.ts';
import { startFakeHosted } from '../builders/fake-hosted.ts';
import { workflowText } from '../builders/workflow-text.ts';
import { barriersInBothThemes, barriers, expect, linkTo, startApp, test } from './in-app.ts';

const score = ({ id, n }: Readonly<Record<string, unknown>>) => ({ id, score: Number(n) * 2 });
const rows = [1, 2, 3].map((n) => ({ id: `lead-${n}`, n }));

test('the walk of a newcomer: add a service, run there, record, run here, compare, export, find, pin', async ({
  page,
}) => {
  const service = await startFakeHosted({ sample: score }, { hasLimits: false });
  const app = await startApp({ workflows: { sample: hostedWorkflow('sample', 'Sample') } });
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const head = page.getByRole('region', { name: 'This run' });
  const dialog = page.getByRole('dialog');
  await page.addInitScript(() => Reflect.deleteProperty(window, 'showSaveFilePicker'));
  try {
    await page.goto(await linkTo(app, '/settings/hosted'));
    await button('Add a connection').press('Enter');
    for (const text of ['prod', `${service.url}/api`, 'x-acme-key', service.key]) {
      await page.keyboard.type(text);
      await page.keyboard.press('Tab');
    }
    await page.getByLabel('Key', { exact: true }).press('Enter');
    await expect(page.getByRole('alert')).toContainText('give the origin alone');
    await page.getByRole('textbox', { name: 'Address' }).fill(service.url);
    await page.keyboard.press('Enter');
    const connection = page.getByRole('listitem', { name: 'prod' });
    await expect(connection).toContainText('50 % of the key’s limits');
    expect(await page.content()).not.toContain(service.key);
    await button('Test prod').press('Enter');
    await page.getByRole('textbox', { name: 'Workflow at the service' }).press('Enter');
    await expect(dialog.getByRole('status')).toContainText('Connected');
    await page.keyboard.press('Escape');
    expect(await barriersInBothThemes(page)).toEqual([]);
    expect(service.posts).toEqual([]);

    await page.goto(`${app.url}/workflows/sample/run?view=json`);
    await page.getByRole('textbox', { name: 'Rows as JSON' }).fill(JSON.stringify(rows));
    await button('Run options').click();
    await dialog.getByLabel('Run on').selectOption('prod');
    await expect(dialog).toContainText('1 call starts the run with 3 rows');
    expect(await barriersInBothThemes(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Run 3 rows on prod' }).click();
    await expect(head).toContainText('3 of 3 done');
    await expect(head).toContainText('On prod');
    await expect(page.getByRole('tab')).toHaveText(['Rows']);
    const there = new URL(page.url()).pathname.split('/')[2] ?? '';

    await button('Statistics').click();
    await expect(page.getByRole('columnheader', { name: /^score, output/ })).toContainText('3 distinct');
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: /^Pin/ }).click();
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: /^Use its answers offline/ }).click();
    expect(await barriers(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Record' }).click();
    await expect(dialog.getByRole('status')).toContainText('Recorded 3 rows of 1 run at prod');
    await dialog.getByRole('button', { name: 'Close' }).last().click();

    await button('Other steps').click();
    await page.getByRole('menuitem', { name: 'Run all 3 rows on this machine' }).click();
    await expect(page).not.toHaveURL(new RegExp(there));
    await expect(head).toContainText('3 of 3 done');
    await expect(head).not.toContainText('On prod');
    await button('Compare with').click();
    await page.getByRole('menuitem', { name: /^The run that it repeats/ }).click();
    await expect(page).toHaveURL(new RegExp(`/compare/${there}/`));
    await expect(page.getByRole('group', { name: 'Rows by result' })).toContainText(/Same\s*3/);

    await page.goto(`${app.url}/find#q=lead-2&in=output`);
    const found = page.getByRole('list', { name: 'Values found' });
    await found.getByText('The same in 1 older run').click();
    const hits = found.getByRole('link');
    await expect(hits).toHaveCount(2);
    await hits.filter({ hasText: there.slice(-4) }).click();
    await expect(page.getByRole('complementary', { name: 'Row 2' })).toContainText('lead-2');
    await button('Export…').click();
    await dialog.getByLabel('Format').selectOption('csv');
    const downloading = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Export 3 rows' }).click();
    expect(await readFile(await (await downloading).path(), 'utf8')).toMatch(/lead-2.*,4/);
    expect(service.posts).toHaveLength(1);
  } finally {
    await app.close();
    await service.close();
  }
});

/** The processes of the browser that have the text in their memory, such as `renderer`. */
async function processesWith(browser: Browser, text: string): Promise<readonly string[]> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  return processInfo.filter(({ id }) => isInMemory(id, text)).map(({ type }) => type);
}

/** True if the text, in any form of a string, is in what the process may write: its heaps and stacks. */
function isInMemory(id: number, text: string): boolean {
  const forms = [Buffer.from(text, 'latin1'), Buffer.from(text, 'utf16le')];
  const memory = openSync(`/proc/${id}/mem`, 'r');
  const piece = Buffer.alloc(4_000_000);
  let isFound = false;
  for (const line of readFileSync(`/proc/${id}/maps`, 'latin1').split('\n')) {
    const [, from = '0', to = '0'] = /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(line) ?? [];
    const end = Number.parseInt(to, 16);
    for (let at = Number.parseInt(from, 16); at < end; at += piece.length) {
      const read = piece.subarray(0, readPiece(memory, piece.subarray(0, end - at), at));
      isFound ||= forms.some((form) => read.includes(form));
    }
  }
  closeSync(memory);
  return isFound;
}

/** Bytes that were read; 0 for pages that are gone meanwhile. */
function readPiece(file: number, into: Buffer, at: number): number {
  try {
    return readSync(file, into, 0, into.length, at);
  } catch {
    return 0;
  }
}

test('an unknown outcome has three ways out, also after a restart; the key is in no memory of the browser', async ({
  browser,
  page,
}) => {
  const cut = new Set([1, 2, 4]);
  let failing = 2;
  const service = await startFakeHosted(
    { sample: (row) => (row['n'] === failing ? undefined : score(row)) },
    { hasLimits: false, fault: (nth) => (cut.has(nth) ? 'cut-after' : undefined) },
  );
  const home = await mkdtemp(join(tmpdir(), 'rowbench-hosted-'));
  const start = () => startApp({ workflows: { sample: workflowText('') }, home });
  let app = await start();
  try {
    const connection = { name: 'prod', url: service.url, header: 'x-acme-key', key: service.key };
    await app.handlers['hosted.add'](connection);
    const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
    const { runId } = await app.handlers['hosted.run']({ workflowId: 'sample', connection: 'prod', lines });
    await page.goto(await linkTo(app, `/runs/${runId}`));
    const head = page.getByRole('region', { name: 'This run' });
    await expect(head).toContainText('2 of 3 done · 1 open');
    await page.getByRole('button', { name: 'Other steps' }).click();
    await page.getByRole('menuitem', { name: 'Rerun 1 open row on prod' }).click();
    const banner = page.getByRole('group', { name: 'Outcome unknown' });
    await expect(banner).toContainText('Rowbench does not send the rows again by itself');
    await app.close();
    app = await start();
    await page.goto(await linkTo(app, `/runs/${runId}`));
    await expect(head).toContainText('2 of 3 done · 1 unknown · 2 attempts');
    await expect(page.getByRole('gridcell', { name: /^Failed/ })).toHaveCount(0);
    const again = page.getByRole('button', { name: 'Run all 3 rows again on prod' });
    await page.getByRole('button', { name: 'Other steps' }).click();
    const step = page.getByRole('menuitem', { name: 'Run all 3 rows again on prod' });
    await expect(step).toBeDisabled();
    await expect(step).toContainText('may be billed twice');
    await page.keyboard.press('Escape');
    await page.getByRole('gridcell', { name: /^Unknown/ }).click();
    const fix = page.getByRole('button', { name: 'Fix this row…' });
    await expect(fix).toBeDisabled();
    await expect(fix).toHaveAttribute('title', /may be billed twice/);
    const panel = page.getByRole('complementary', { name: 'Row 2' });
    await expect(panel).toContainText('Outcome unknown failed in attempt 1');
    expect(await barriersInBothThemes(page)).toEqual([]);

    failing = 0;
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
    expect(await processesWith(browser, service.posts[3]?.runId ?? '')).toContain('renderer');
    expect(await processesWith(browser, service.key)).toEqual([]);
  } finally {
    await app.close();
    await service.close();
  }
});
