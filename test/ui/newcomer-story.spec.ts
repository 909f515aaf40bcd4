// The whole way of a newcomer, with the keyboard alone: from pasted rows to a saved workflow with a test.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { paste } from './clipboard.ts';
import { onEditorScreen } from './editor-screen.ts';
import { expect, test } from './in-app.ts';

const rows = `email\tsize
ada@example.com\t120
alan@small.example\t9
grace@example.com\t44
linus@example.com\t1
katherine@example.com\t340
`;

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

/** Adds a node behind the selected one, with one value that is written in its form. */
async function addValues(
  page: Page,
  id: string,
  [name, expression]: readonly [string, string],
): Promise<void> {
  await page.getByRole('listbox', { name: /^Nodes/ }).focus();
  await page.keyboard.press('a');
  await page.keyboard.type('set');
  const adding = page.getByRole('dialog', { name: 'Add a node' });
  await expect(adding.getByRole('option', { name: 'Set values', selected: true })).toBeVisible();
  await adding.getByRole('textbox', { name: 'Id', exact: true }).fill(id);
  await page.keyboard.press('Enter');
  await expect(onEditorScreen(page).card(id)).toHaveAttribute('aria-selected', 'true');
  const form = page.getByRole('region', { name: 'Form', exact: true });
  await expect(form.getByRole('textbox', { name: /^id/ })).toHaveValue(id);
  await form.getByRole('textbox', { name: 'New name in values' }).focus();
  await page.keyboard.type(name);
  await page.keyboard.press('Enter');
  await form.getByRole('textbox', { name, exact: true }).focus();
  await page.keyboard.type(expression);
  await page.keyboard.press('Control+Enter');
}

test(
  'a newcomer makes a workflow of rows, adds nodes, renames one, tests a row, and only her lines are new',
  { tag: '@main' },
  async ({ app, page, enter, problems }) => {
    await enter('/workflows');
    await expect(page.getByRole('button', { name: 'New workflow…' })).toBeVisible();
    await page.keyboard.press('n');
    const creating = page.getByRole('dialog', { name: 'New workflow' });
    await expect(creating.getByLabel('Paste rows')).toBeFocused();
    await paste(page, rows);
    await expect(creating.getByRole('status')).toHaveText('5 rows, TSV.');
    await creating.getByRole('button', { name: 'Create workflow' }).press('Enter');
    await expect(page).toHaveURL(/\/workflows\/new-workflow\/rows$/);
    const file = join(app.dataDir, 'workflows', 'new-workflow.workflow.yaml');
    const before = await readFile(file, 'utf8');

    const { editor, card } = onEditorScreen(page);
    await editor.waitFor();
    await page.getByRole('listbox', { name: /^Nodes/ }).focus();
    await page.keyboard.press('Home');
    await expect(card('input')).toHaveAttribute('aria-selected', 'true');
    await addValues(page, 'host', ['name', "=row.email.split('@')[1]"]);
    await expect(card('host')).toContainText('{ name: "example.com" }');
    await addValues(page, 'band', ['label', "=row.size > 100 ? 'large' : 'small'"]);
    await expect(card('band')).toContainText('{ label: "large" }');
    await addValues(page, 'greeting', ['text', 'Hello {{ nodes.host.name }}']);
    await expect(card('greeting')).toContainText('{ text: "Hello example.com" }');

    await page.getByRole('listbox', { name: /^Nodes/ }).focus();
    await page.keyboard.press('F2');
    await expect(page.getByRole('dialog', { name: 'Rename greeting' })).toBeVisible();
    await page.keyboard.type('hello');
    await expect(page.getByRole('dialog')).toContainText('1 line in 1 file will change.');
    await page.keyboard.press('Enter');
    await expect(card('hello')).toContainText('{ text: "Hello example.com" }');

    await page.keyboard.press(']');
    await expect(card('hello')).toContainText('{ text: "Hello small.example" }');
    await page.getByRole('button', { name: 'Save as test…' }).press('Enter');
    const testing = page.getByRole('dialog', { name: 'Save as test' });
    await expect(testing.getByRole('region', { name: 'Expected fields' })).toContainText(
      'alan@small.example',
    );
    await page.keyboard.press('Enter');
    await expect(testing).toBeHidden();
    await page.keyboard.press('Control+s');
    await expect(page.getByText('Saved.').first()).toBeVisible();

    const after = await readFile(file, 'utf8');
    const start = after.indexOf('  - id: host\n');
    const length = after.length - before.length;
    expect(after.slice(0, start) + after.slice(start + length)).toBe(before);
    expect(after.slice(start, start + length)).toContain('- id: hello');
    const ran = await app.handlers['workflow.runTests']({ workflowId: 'new-workflow' });
    expect(ran).toMatchObject({ passed: 1, failed: 0 });
    expect(problems).toEqual([]);
  },
);
