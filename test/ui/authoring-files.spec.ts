// Files that are edited in the app: other ids, links, imports, and a server that is started again.
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { editLine, fileOf, leads, onEditorScreen, test } from './editor-screen.ts';
import { barriers, expect, linkTo, startApp } from './in-app.ts';

test('a changed id leads to the new address', async ({ page, enter }) => {
  await enter('/workflows/leads');
  await editLine(page, 2);
  await page.keyboard.type('-new');
  await page.keyboard.press('Control+s');
  await expect(page).toHaveURL(/\/workflows\/leads-new/);
  await expect(page.getByRole('button', { name: 'Valid' })).toBeVisible();
  await expect(onEditorScreen(page).editor).toBeVisible();
});

test('a file that cannot be saved is shown and says why, without an editor', async ({ app, page, enter }) => {
  const scripts: string[] = [];
  page.on('request', (request) => scripts.push(request.url()));
  const outside = join(app.dataDir, '..', 'elsewhere.workflow.yaml');
  await writeFile(outside, leads.replace('id: leads', 'id: linked'));
  await symlink(outside, join(app.dataDir, 'workflows', 'linked.workflow.yaml'));
  await expect
    .poll(async () => app.handlers['workflow.show']({ workflowId: 'linked' }).catch(() => undefined))
    .toBeDefined();
  await enter('/workflows/linked');
  const { file, editor } = onEditorScreen(page);
  await expect(file).toContainText('Not editable here: it is a link to a file outside the folders');
  await expect(page.getByRole('listbox', { name: /^Workflow file/ })).toBeVisible();
  expect(await barriers(page)).toEqual([]);
  await page.goto(page.url().replace('linked', 'leads'));
  expect(scripts.filter((url) => url.includes('CodeEditor'))).toEqual([]);
  await expect(editor).toBeVisible();
  expect(scripts.filter((url) => url.includes('CodeEditor'))).toHaveLength(1);
});

test('an import that would reach further is saved with trust or without', async ({ app, page, enter }) => {
  const brought = leads.replace('id: leads', 'id: brought');
  const source = join(app.dataDir, '..', 'brought.workflow.yaml');
  await writeFile(source, brought);
  const { digest } = await app.handlers['workflow.inspect']({ path: source, replaces: false });
  await app.handlers['workflow.import']({ path: source, replaces: false, trusted: digest });
  await enter('/workflows/brought');
  const { file } = onEditorScreen(page);
  const asks = page.getByRole('dialog', { name: 'The saved workflow reaches further' });
  const trust = async () => (await app.handlers['workflow.show']({ workflowId: 'brought' })).trust;
  for (const [host, answer, result] of [
    ['one', 'Save and trust', 'trusted'],
    ['two', 'Save without trust', 'untrusted'],
  ] as const) {
    if (host === 'one') await editLine(page, 11);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Shift+Home');
    await page.keyboard.insertText(
      `  - { id: ${host}, type: http, request: { url: "https://${host}.example.com/" } }`,
    );
    await expect(file).toContainText('stored');
    await page.keyboard.press('Control+s');
    await expect(asks).toContainText(`${host}.example.com`);
    expect(await barriers(page)).toEqual([]);
    await asks.getByRole('button', { name: answer }).press('Enter');
    await expect(asks).toBeHidden();
    await expect(file).toContainText('No changes');
    await expect.poll(trust).toBe(result);
    await onEditorScreen(page).editor.focus();
  }
});

test('a draft outlives the server', async ({ page }) => {
  const home = await mkdtemp(join(tmpdir(), 'rowbench-test-'));
  const first = await startApp({ workflows: { leads }, home });
  await page.goto(await linkTo(first, '/workflows/leads'));
  await editLine(page, 3);
  await page.keyboard.type(' again');
  await expect(onEditorScreen(page).file).toContainText('stored');
  await first.close();
  const second = await startApp({ workflows: { leads }, home, port: first.port });
  await expect(onEditorScreen(page).lines.nth(2)).toHaveText('name: Score leads again');
  await page.goto(await linkTo(second, '/workflows/leads'));
  await expect(onEditorScreen(page).file).toContainText('1 changed line');
  await second.close();
  await rm(home, { recursive: true });
});

test('cards that changed are marked, and one of three changes is restored', async ({ page, enter }) => {
  await enter('/workflows/leads');
  const { card } = onEditorScreen(page);
  await editLine(page, 6);
  await page.keyboard.type('!');
  for (let n = 6; n < 14; n += 1) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  await page.keyboard.type(' # out');
  await card('lead').click();
  await expect(card('lead')).toHaveAttribute('aria-selected', 'true');
  await page.getByRole('listbox', { name: /^Nodes/ }).press('d');
  await expect(card('lead2').locator('.change-mark')).toHaveText('new');
  for (const id of ['input', 'result']) await expect(card(id).locator('.change-mark')).toHaveText('changed');
  await expect(page.locator('.change-mark')).toHaveCount(3);
  await expect(card('result')).toContainText('Changed since the last save');
  await page.keyboard.press('Control+Shift+s');
  const review = page.getByRole('dialog', { name: 'Changes since the last save' });
  await expect(review).toContainText(/New\s*lead2\s*Changed\s*input, result/);
  expect(await barriers(page)).toEqual([]);
  const restore = review.getByRole('button', { name: /^Restore line/ });
  await expect(restore).toHaveCount(3);
  await restore.first().press('Enter');
  await expect(restore).toHaveCount(2);
  await expect(review).toContainText(/New\s*lead2\s*Changed\s*result/);
  await review.getByRole('button', { name: 'Close' }).press('Enter');
  await expect(page.locator('.change-mark')).toHaveText(['new', 'changed']);
  await expect(card('input').locator('.change-mark')).toHaveCount(0);
});

test('changes are reviewed before a save, and an earlier text is restored', async ({ app, page, enter }) => {
  await enter('/workflows/leads');
  const { file, editor, lines, choose } = onEditorScreen(page);
  await editLine(page, 3);
  await page.keyboard.type('!');
  await expect(file).toContainText('1 changed line');
  await page.keyboard.press('Control+Shift+s');
  const review = page.getByRole('dialog', { name: 'Changes since the last save' });
  await expect(review).toContainText('name: Score leads!');
  expect(await barriers(page)).toEqual([]);
  await review.getByRole('button', { name: 'Save' }).press('Enter');
  await expect(file).toContainText('No changes');
  expect(await readFile(fileOf(app.dataDir), 'utf8')).toBe(leads.replace('Score leads', 'Score leads!'));
  await choose('Earlier texts…');
  const history = page.getByRole('dialog', { name: 'Earlier texts' });
  await expect(history.getByRole('radio')).toHaveCount(2);
  await history.getByRole('radio').last().check();
  await expect(history.getByRole('region', { name: 'Lines that would change' })).toContainText('leads!');
  expect(await barriers(page)).toEqual([]);
  await history.getByRole('button', { name: 'Restore' }).press('Enter');
  await expect(lines.nth(2)).toHaveText('name: Score leads');
  await expect(file).toContainText('1 changed line');
  await editor.focus();
  await page.keyboard.press('Control+z');
  await expect(file).toContainText('No changes');
});
