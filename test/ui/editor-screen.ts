// The page of a workflow.
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, startApp, test as base } from './in-app.ts';

export const leads = `rowbench: 1
id: leads
name: Score leads
nodes:
  - id: input
    type: input # rows come in here
    fields:
      email: { type: string }
  - id: lead
    type: set
    values: { host: "=row.email" }
  - id: result
    type: output
    fields: { host: "=nodes.lead.host" }
`;

export const test = base.extend({
  app: async ({}, use) => {
    const app = await startApp({ workflows: { leads } });
    await use(app);
    await app.close();
  },
});

export const fileOf = (dataDir: string): string => join(dataDir, 'workflows', 'leads.workflow.yaml');

export const onEditorScreen = (page: Page) => {
  const file = page.getByRole('main');
  const editor = page.getByRole('textbox', { name: 'Workflow file' });
  return {
    file,
    editor,
    lines: editor.locator('.cm-line'),
    squiggles: editor.locator('.cm-lintRange-error'),
    card: (id: string) => page.locator(`[data-node="${id}"]`),
    issues: page.getByRole('list', { name: 'Issues' }),
    save: file.getByRole('button', { name: 'Save', exact: true }),
    run: file.getByRole('group', { name: 'Run', exact: true }).getByRole('button').first(),
    form: page.getByRole('region', { name: 'Form', exact: true }),
    values: page.getByRole('region', { name: 'Values', exact: true }),
    /** Chooses a verb of the menu of the bar. */
    choose: async (name: string): Promise<void> => {
      await file.getByRole('button', { name: 'More' }).press('Enter');
      await page.getByRole('menuitem', { name }).press('Enter');
    },
    conflict: page.getByRole('dialog', { name: 'The file was changed by another program' }),
  };
};

/** Adds a key to the selected node: the first option that the words find. */
export async function addOption(page: Page, words: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Add option' }).fill(words);
  const found = page.getByRole('listbox', { name: 'Options' }).getByRole('option', { disabled: false });
  await expect(found.first()).toBeVisible();
  await page.keyboard.press('Enter');
}

/** Opens the editor with the keyboard, the caret at the end of the line. */
export async function editLine(page: Page, line: number): Promise<void> {
  const { editor } = onEditorScreen(page);
  await editor.waitFor();
  await page.keyboard.press('e');
  await expect(editor).toBeFocused();
  await page.keyboard.press('Control+Home');
  for (let n = 1; n < line; n += 1) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
}
