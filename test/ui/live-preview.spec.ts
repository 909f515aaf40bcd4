// Values of the nodes beside the text, while a workflow is edited.
import { readFile } from 'node:fs/promises';
import { editLine, fileOf, leads, onEditorScreen, test } from './editor-screen.ts';
import { paste } from './clipboard.ts';
import { barriers, barriersInBothThemes, expect, startApp } from './in-app.ts';

const twoRows = leads.replace(
  '    fields:\n      email: { type: string }\n',
  '    testRows:\n      - { email: "ada@analytical.example" }\n      - { email: "bob@babbage.example" }\n',
);

const previewTest = test.extend({
  app: async ({}, use) => {
    const app = await startApp({ workflows: { leads: twoRows } });
    await use(app);
    await app.close();
  },
});

previewTest(
  'values follow the text, the row is chosen by keyboard',
  async ({ app, page, enter, problems }) => {
    await enter('/workflows/leads');
    const { card, lines } = onEditorScreen(page);
    const bar = page.getByRole('region', { name: 'Preview' });
    await editLine(page, 12);
    await expect(card('lead')).toContainText('{ host: "ada@analytical.example" }');
    await expect(bar.getByRole('radio')).toHaveCount(2);
    const valueAtEnd = lines.nth(11).locator('.line-value');
    await expect(valueAtEnd).toHaveAttribute('data-value', '"ada@analytical.example"');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.type(".split('@')[1]");
    // Closes the completions.
    await page.keyboard.press('Escape');
    await expect(card('lead')).toContainText('{ host: "analytical.example" }');
    await expect(card('result')).toContainText('{ host: "analytical.example" }');
    await expect(valueAtEnd).toHaveAttribute('data-value', '"analytical.example"');
    expect(await barriersInBothThemes(page)).toEqual([]);
    await page.keyboard.press('Control+;');
    await expect(valueAtEnd).toBeHidden();
    await page.keyboard.press('Control+;');
    await expect(valueAtEnd).toBeVisible();

    await bar.getByRole('radio').first().focus();
    await page.keyboard.press(']');
    await expect(card('lead')).toContainText('{ host: "babbage.example" }');
    await expect(bar.getByRole('radio', { name: 'Done 2' })).toBeChecked();
    await expect(valueAtEnd).toHaveAttribute('data-value', '"babbage.example"');
    await page.keyboard.press('[');
    await expect(card('lead')).toContainText('{ host: "analytical.example" }');
    expect(await readFile(fileOf(app.dataDir), 'utf8')).toBe(twoRows);
    expect(problems).toEqual([]);
  },
);

previewTest(
  'an error of a node stands on its card, with the share of failed rows',
  async ({ page, enter }) => {
    await enter('/workflows/leads');
    await editLine(page, 12);
    const { card } = onEditorScreen(page);
    for (let n = 0; n < 3; n += 1) await page.keyboard.press('ArrowLeft');
    await page.keyboard.type(".startsWith('bob') ? row.gone.x : 1");
    await page.keyboard.press('Escape');
    await expect(card('lead')).toContainText('Failed in 1 of 2 rows');
    const bar = page.getByRole('region', { name: 'Preview' });
    await bar.getByRole('radio', { name: 'Failed 2' }).focus();
    await page.keyboard.press(']');
    await expect(card('lead')).toContainText('Cannot read');
    await expect(card('result')).toContainText('Not reached');
    expect(await barriers(page)).toEqual([]);
  },
);

previewTest('a broken text keeps its last values, and says what to do', async ({ page, enter }) => {
  await enter('/workflows/leads');
  await editLine(page, 4);
  const bar = page.getByRole('region', { name: 'Preview' });
  const { card } = onEditorScreen(page);
  await expect(card('lead')).toContainText('ada@analytical.example');
  await page.keyboard.type(' [');
  await expect(bar.getByRole('status')).toHaveText(
    /^Values of the last text that ran: fix \d+ errors? first\.$/,
  );
  await expect(card('lead')).toContainText('ada@analytical.example');
});

const noRowsTest = test.extend({
  app: async ({}, use) => {
    const noRows = leads.replace(
      '    fields:\n      email: { type: string }\n',
      '    testRows: gone.ndjson\n',
    );
    const app = await startApp({ workflows: { leads: noRows } });
    await use(app);
    await app.close();
  },
});

noRowsTest('a draft whose file of test rows is missing says so', async ({ page, enter }) => {
  await enter('/workflows/leads');
  await editLine(page, 3);
  const bar = page.getByRole('region', { name: 'Preview' });
  await expect(bar.getByRole('status')).toContainText(/^Not previewed: line 5: .*gone\.ndjson/);
  await expect(page.getByRole('region', { name: 'File', exact: true })).toBeVisible();
  expect(await barriers(page)).toEqual([]);
});

test('without test rows the row is made up, and rows pasted into the grid become test rows', async ({
  page,
  enter,
}) => {
  await enter('/workflows/leads');
  await editLine(page, 3);
  const bar = page.getByRole('region', { name: 'Preview' });
  const { card, lines } = onEditorScreen(page);
  await expect(bar).toContainText('The file has no test rows');
  await bar.getByRole('button', { name: 'Enter test rows' }).press('Enter');
  const grid = page.getByRole('grid', { name: 'Rows' });
  await grid.focus();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await paste(page, 'email\nada@a.example\nbob@b.example');
  await expect(grid.getByRole('row')).toHaveCount(4);
  expect(await barriers(page)).toEqual([]);
  await expect(bar.getByRole('radio')).toHaveCount(2);
  await expect(card('lead')).toContainText('{ host: "ada@a.example" }');
  await expect(lines.filter({ hasText: 'ada@a.example' })).toHaveCount(1);
  await expect(bar).not.toContainText('no test rows');
});
