// A workflow is edited in the app: squiggles, graph, draft, save, conflicts, by keyboard, and under the page's policy.
import { readFile, writeFile } from 'node:fs/promises';
import { editLine, fileOf, leads, onEditorScreen, test } from './editor-screen.ts';
import { barriers, barriersInBothThemes, callOf, expect } from './in-app.ts';

test('an edit is checked, drafted, there after a reload, and saved by keyboard', async ({
  app,
  page,
  enter,
  problems,
}) => {
  await enter('/workflows/leads');
  const screen = onEditorScreen(page);
  await editLine(page, 11);
  await expect(screen.card('lead')).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Shift+Home');
  await page.keyboard.type('  - id: extra\ntype: seet');
  await expect(screen.squiggles).toHaveText('seet');
  await page.keyboard.press('F8');
  await expect(screen.file.getByText(/^Issue 1 of \d+: /)).toHaveCount(1);
  expect(await barriersInBothThemes(page)).toEqual([]);
  await page.keyboard.type('set');
  await expect(screen.card('extra')).toBeVisible();
  await expect(screen.squiggles.filter({ hasText: 'seet' })).toHaveCount(0);
  await page.keyboard.press('End');
  await page.keyboard.type('\nvalues: { a: 1 }');
  await expect(screen.file).toContainText('3 changed lines');
  await expect(screen.file).toContainText('stored');
  expect(await readFile(fileOf(app.dataDir), 'utf8')).toBe(leads);

  await page.reload();
  await expect(screen.file).toContainText('3 changed lines');
  await editLine(page, 1);
  await expect(screen.lines.nth(13)).toHaveText('    values: { a: 1 }');
  await page.keyboard.press('Control+s');
  await expect(page.getByText('Saved.')).toBeVisible();
  await expect(screen.file).toContainText('No changes');
  const saved = leads.replace(
    '  - id: result',
    '  - id: extra\n    type: set\n    values: { a: 1 }\n  - id: result',
  );
  await expect.poll(() => readFile(fileOf(app.dataDir), 'utf8')).toBe(saved);
  await expect.poll(() => app.handlers['author.drafts']({})).toEqual([]);
  expect(await barriersInBothThemes(page)).toEqual([]);
  expect(problems).toEqual([]);
});

test('undo works across a save, and back to the saved text there is no draft', async ({
  app,
  page,
  enter,
}) => {
  await enter('/workflows/leads');
  const { file } = onEditorScreen(page);
  await editLine(page, 3);
  await page.keyboard.type('!');
  await expect(file).toContainText('1 changed line');
  await page.keyboard.press('Control+s');
  await expect(file).toContainText('No changes');
  await page.keyboard.press('Control+z');
  await expect(file).toContainText('1 changed line');
  await expect(file).toContainText('stored');
  await page.keyboard.press('Control+Shift+z');
  await expect(file).toContainText('No changes');
  await expect.poll(() => app.handlers['author.drafts']({})).toEqual([]);
  expect(await readFile(fileOf(app.dataDir), 'utf8')).toBe(leads.replace('Score leads', 'Score leads!'));
});

test('a broken text keeps its graph, and can be saved', async ({ app, page, enter }) => {
  await enter('/workflows/leads');
  const screen = onEditorScreen(page);
  await editLine(page, 4);
  await page.keyboard.type(' [');
  await expect(page.getByText('As it was before the file broke')).toBeVisible();
  await expect(screen.card('result')).toBeVisible();
  await page.keyboard.press('Control+s');
  await expect(page.getByText(/^Saved\. The file has \d+ errors?: no run starts/)).toBeVisible();
  await expect(page.getByRole('button', { name: /^Run(…| \d+ rows?| test rows)$/ })).toBeDisabled();
  expect(await readFile(fileOf(app.dataDir), 'utf8')).toBe(leads.replace('nodes:', 'nodes: ['));
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+s');
  await expect(page.getByRole('button', { name: /^Run(…| \d+ rows?| test rows)$/ })).toBeEnabled();
});

test('a change of another program is followed, or shown beside the draft and merged', async ({
  app,
  page,
  enter,
}) => {
  await enter('/workflows/leads');
  const screen = onEditorScreen(page);
  await editLine(page, 9);
  await writeFile(fileOf(app.dataDir), leads.replace('rowbench: 1\n', 'rowbench: 1\n# Theirs.\n'));
  await expect(screen.lines.nth(1)).toHaveText('# Theirs.');
  await page.keyboard.type(' # mine');
  await expect(screen.lines.nth(9)).toHaveText('  - id: lead # mine');
  // Twelve lines differ: ten and one of theirs, one of mine, and one that both have changed.
  await page.keyboard.press('Control+Home');
  for (let line = 1; line < 4; line += 1) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  await page.keyboard.type('!');
  const added = Array.from({ length: 10 }, (_, index) => `# Line ${index}\n`).join('');
  const theirs = leads.replace('rowbench: 1\n', 'rowbench: 1\n# Theirs.\n');
  await writeFile(fileOf(app.dataDir), theirs.replace('Score leads', 'Rate leads') + added);
  await expect(page.getByRole('button', { name: 'Changed by another program: compare…' })).toBeVisible();
  await page.keyboard.press('Control+s');
  const { conflict } = screen;
  const changes = conflict.getByRole('region', { name: 'Changes' });
  await expect(changes).toContainText('- id: lead # mine');
  await expect(changes).toContainText('# Line 9');
  await expect(conflict.getByText(/places to decide$/)).toHaveText('1 of 1 places to decide');
  const save = conflict.getByRole('button', { name: 'Save' });
  await expect(save).toBeDisabled();
  const allMine = conflict.getByRole('button', { name: 'All mine' });
  await allMine.click();
  await expect(changes).toBeHidden();
  await allMine.click();
  expect(await barriers(page)).toEqual([]);
  const lines = changes.getByRole('textbox');
  for (const [choice, text] of [
    ['Mine', 'name: Score leads!'],
    ['Both', 'name: Score leads!\nname: Rate leads'],
    ['Theirs', 'name: Rate leads'],
  ] as const) {
    await changes.getByRole('button', { name: choice, exact: true }).press('Enter');
    await expect(lines).toHaveValue(text);
  }
  await save.press('Enter');
  await expect(conflict).toBeHidden();
  const merged = theirs.replace('Score leads', 'Rate leads').replace('- id: lead', '- id: lead # mine');
  await expect.poll(() => readFile(fileOf(app.dataDir), 'utf8')).toBe(merged + added);
  await expect(screen.file).toContainText('No changes');
});

test('typing goes on while the server does not answer, and the draft is stored later', async ({
  app,
  page,
  enter,
}) => {
  await enter('/workflows/leads');
  const { file } = onEditorScreen(page);
  await editLine(page, 3);
  await page.route(callOf('author.change'), (route) => route.abort());
  await page.keyboard.type(' and more');
  await expect(file).toContainText('not stored: The server does not answer');
  await page.unroute(callOf('author.change'));
  await expect(file).not.toContainText('not stored', { timeout: 15_000 });
  await expect.poll(async () => (await app.handlers['author.drafts']({})).length).toBe(1);
});

test('a draft is shown in the list, opened again and discarded with a way back', async ({
  app,
  page,
  enter,
}) => {
  await enter('/workflows/leads');
  const screen = onEditorScreen(page);
  await editLine(page, 3);
  await page.keyboard.type('!');
  await expect(screen.file).toContainText('stored');
  await page.getByRole('navigation').getByRole('link', { name: 'Workflows' }).click();
  await expect(page.getByRole('row', { name: /Score leads/ })).toContainText('Draft');
  await page.getByRole('link', { name: 'Score leads' }).click();
  await expect(screen.file).toContainText('1 changed line');
  await screen.choose('Discard changes');
  await expect(screen.file).toContainText('No changes');
  await expect.poll(() => app.handlers['author.drafts']({})).toEqual([]);
  await editLine(page, 1);
  await page.keyboard.press('Control+z');
  await expect(screen.file).toContainText('1 changed line');
  await expect(screen.lines.nth(2)).toHaveText('name: Score leads!');
});
