// A field of the rows is renamed in the workflow and its tests: from the caret, from the form and from the list of fields.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { editLine, fileOf, onEditorScreen, test as base } from './editor-screen.ts';
import { barriers, expect, startApp } from './in-app.ts';

const leads = `rowbench: 1
id: leads
nodes:
  - id: input
    type: input
    fields:
      email: { type: string } # email
    testRows: [{ email: "a@b.example" }]
  - id: lead
    type: set
    values: { host: "=row.email.split('@')[1]" }
  - id: result
    type: output
    fields: { host: "=nodes.lead.host" }
`;
const tests = `rowbench: 1
tests:
  - name: email
    rows: [{ email: "a@b.example" }]
    expect: { status: completed, rows: [{ host: b.example }] }
`;
const caller = `rowbench: 1
id: caller
nodes:
  - { id: input, type: input }
  - { id: lead, type: workflow, workflow: leads, row: { email: =row.email } }
  - { id: result, type: output, fields: { host: =nodes.lead.host } }
`;

const test = base.extend({
  app: async ({}, use) => {
    const app = await startApp({ workflows: { leads, caller } });
    await writeFile(join(app.dataDir, 'workflows', 'leads.tests.yaml'), tests);
    await use(app);
    await app.close();
  },
});

test('a field is renamed in all files from the text and from the form', async ({
  app,
  page,
  enter,
  problems,
}) => {
  await enter('/workflows/leads');
  await editLine(page, 11);
  const { editor } = onEditorScreen(page);
  const dialog = page.getByRole('dialog');
  await page.keyboard.press('Home');
  for (let n = 0; n < 24; n += 1) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('F2');
  await expect(dialog.getByRole('heading', { name: 'Rename email' })).toBeVisible();
  await page.keyboard.type('mail');
  await expect(dialog.getByRole('status')).toHaveText('4 lines in 2 files will change.');
  await expect(dialog.getByRole('list', { name: 'Lines of other workflows' })).toContainText(
    'caller, line 5',
  );
  await dialog.getByRole('checkbox', { name: 'Change caller.workflow.yaml too' }).check();
  expect(await barriers(page)).toEqual([]);
  await dialog.getByRole('textbox', { name: 'New name' }).focus();
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(editor).toContainText("=row.mail.split('@')[1]");
  await expect(editor).toContainText('mail: { type: string } # email');
  await expect(page.getByText('Saved caller.workflow.yaml')).toBeVisible();
  expect(await readFile(join(app.dataDir, 'workflows', 'caller.workflow.yaml'), 'utf8')).toBe(
    caller.replace('{ email: =row.email }', '{ mail: =row.email }'),
  );
  expect(await app.handlers['author.history']({ workflowId: 'caller' })).not.toEqual([]);
  await page.keyboard.press('Control+s');
  await expect(page.getByText('Saved.').first()).toBeVisible();
  expect(await readFile(fileOf(app.dataDir), 'utf8')).toBe(
    leads
      .replace('  email: {', '  mail: {')
      .replace('{ email: "', '{ mail: "')
      .replace('row.email', 'row.mail'),
  );
  expect(await readFile(join(app.dataDir, 'workflows', 'leads.tests.yaml'), 'utf8')).toBe(
    tests.replace('{ email: "', '{ mail: "'),
  );

  const form = page.getByRole('region', { name: 'Form', exact: true });
  await onEditorScreen(page).card('result').click();
  await form.getByRole('textbox', { name: 'host', exact: true }).press('F2');
  await expect(dialog.getByRole('heading', { name: 'Rename host' })).toBeVisible();
  await page.keyboard.type('domain');
  await expect(dialog.getByRole('status')).toHaveText('2 lines in 2 files will change.');
  await page.keyboard.press('Enter');
  await expect(editor).toContainText('fields: { domain: "=nodes.lead.host" }');

  await page.getByRole('listbox', { name: /^Nodes/ }).press('Home');
  await form.getByRole('button', { name: 'Rename mail in all files' }).press('F2');
  await dialog.getByRole('textbox', { name: 'New name' }).fill('e mail');
  await expect(dialog).toContainText('its name needs letters, digits and "_"');
  await expect(dialog.getByRole('button', { name: 'Rename' })).toBeDisabled();
  expect(problems).toEqual([]);
});
