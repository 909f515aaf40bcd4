// A node is edited as a form: by keyboard alone, in steps of the text's undo, without a change of any other byte.
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { addOption, editLine, fileOf, onEditorScreen, test as base } from './editor-screen.ts';
import { barriers, barriersInBothThemes, expect, holdQuestion, startApp } from './in-app.ts';

const leads = `rowbench: 1
id: leads
name: Score leads
nodes:
  - id: input
    type: input # rows come in here
    fields:
      email: { type: string }
    testRows: [{ email: "a@b.example" }]
  - id: lead
    type: set
    values: {  host: "=row.email" } # the host
    owner:  sales
  - id: pause
    type: delay
    for: 10ms
  - id: checked
    type: assert
    that: row.email != ""
    message: No address
    after: [lead]
  - id: result
    type: output
    fields: { host: "=nodes.lead.host" }
`;

const test = base.extend({
  app: async ({}, use) => {
    const app = await startApp({ workflows: { leads } });
    await use(app);
    await app.close();
  },
});

const formOf = (page: Page) => page.getByRole('region', { name: 'Form', exact: true });

/** Begins to edit the node at a line, with its form below. */
async function openForm(page: Page, line: number): Promise<void> {
  await editLine(page, line);
}

/** Saves, and resolves to the bytes of the file. */
async function saved(page: Page, dataDir: string): Promise<string> {
  await page.keyboard.press('Control+s');
  await expect(page.getByText('Saved.').first()).toBeVisible();
  await expect(onEditorScreen(page).file).toContainText('No changes');
  return readFile(fileOf(dataDir), 'utf8');
}

test('fields of two types change by keyboard, and undo leads back to the first byte', async ({
  app,
  page,
  enter,
  problems,
}) => {
  await enter('/workflows/leads');
  await openForm(page, 16);
  const form = formOf(page);
  const { editor, file } = onEditorScreen(page);

  const wait = form.getByRole('textbox', { name: 'for' });
  await expect(wait).toHaveText('10ms');
  await wait.focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('2s');
  await expect(form).toContainText('2s = 2,000 ms');
  await page.keyboard.press('Escape');
  await expect(wait).toHaveText('10ms');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('20ms');
  await page.keyboard.press('Control+Enter');
  await expect(editor).toContainText('for: 20ms');
  await expect(wait).toBeFocused();

  await page.getByRole('listbox', { name: /^Nodes/ }).focus();
  await page.keyboard.press('ArrowUp');
  await expect(onEditorScreen(page).card('lead')).toHaveAttribute('aria-selected', 'true');
  const value = form.getByRole('textbox', { name: 'host', exact: true });
  await expect(value).toHaveText('=row.email');
  await value.focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('=row.email.trim()');
  await page.keyboard.press('Tab');
  await expect(editor).toContainText('values: {  host: "=row.email.trim()" } # the host');
  expect(await barriersInBothThemes(page)).toEqual([]);
  expect(await readFile(fileOf(app.dataDir), 'utf8')).toBe(leads);

  await value.focus();
  await page.keyboard.press('Control+z');
  await expect(value).toHaveText('=row.email');
  await page.keyboard.press('Control+z');
  await expect(file).toContainText('No changes');
  await expect(editor).toContainText('for: 10ms');
  expect(problems).toEqual([]);
});

test('an unknown key stays until it is removed, and an emptied optional key is removed', async ({
  app,
  page,
  enter,
}) => {
  await enter('/workflows/leads');
  await openForm(page, 11);
  const form = formOf(page);
  await expect(form).toContainText('Rowbench does not know it');
  await form.getByRole('textbox', { name: 'New name in values' }).fill('name');
  await page.keyboard.press('Enter');
  const name = form.getByRole('textbox', { name: 'name', exact: true });
  await name.focus();
  await name.fill('=row.email');
  await page.keyboard.press('Control+Enter');
  await form.getByRole('button', { name: 'Move name up' }).press('Enter');
  await expect(onEditorScreen(page).editor).toContainText('{  name: ');
  const text = await saved(page, app.dataDir);
  expect(text).toContain('    owner:  sales\n');
  expect(text).toContain('# the host');
  await form.getByRole('button', { name: 'Remove owner' }).press('Enter');
  await expect(onEditorScreen(page).editor).not.toContainText('owner');

  await form.getByRole('combobox', { name: 'Kind of values' }).selectOption('Expression');
  const expression = form.getByRole('textbox', { name: 'Expression of values' });
  await expect(expression).toHaveText('={}');
  await expression.focus();
  await expression.fill('=row');
  await page.keyboard.press('Control+Enter');
  await expect(onEditorScreen(page).editor).toContainText('values: =row');
  await expect(onEditorScreen(page).card('lead')).toContainText('a@b.example');
  expect(await barriers(page)).toEqual([]);

  await onEditorScreen(page).card('checked').click();
  await form.getByRole('textbox', { name: 'message' }).focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Delete');
  await page.keyboard.press('Tab');
  await expect(onEditorScreen(page).editor).not.toContainText('No address');
  await form.getByRole('checkbox', { name: 'lead' }).press('Space');
  await expect(onEditorScreen(page).editor).not.toContainText('after:');
});

test('a field keeps what is typed while another change arrives', async ({ page, enter }) => {
  await enter('/workflows/leads');
  await openForm(page, 18);
  const form = formOf(page);
  const message = form.getByRole('textbox', { name: 'message' });
  const answer = await holdQuestion(page, 'edit');
  await form.getByRole('textbox', { name: 'that' }).focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('row.email');
  await message.focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('Nothing to send to');
  await answer.free();
  await expect(onEditorScreen(page).editor).not.toContainText('row.email != ""');
  await expect(message).toBeFocused();
  await expect(message).toHaveText('Nothing to send to');
  await expect(onEditorScreen(page).editor).toContainText('message: Nothing to send to');
});

test('the form of a broken text is read-only', async ({ page, enter }) => {
  await enter('/workflows/leads');
  await openForm(page, 16);
  const form = formOf(page);
  const wait = form.getByRole('textbox', { name: 'for' });
  await expect(wait).toHaveText('10ms');
  await onEditorScreen(page).editor.focus();
  await page.keyboard.type(': x');
  await expect(form.getByRole('button', { name: 'Fix line 16 first' })).toBeVisible();
  await expect(wait).toHaveAttribute('aria-readonly', 'true');
});

test('Enter in a new name goes to its value, and an expression typed as a name becomes a value', async ({
  page,
  enter,
}) => {
  await enter('/workflows/leads');
  await openForm(page, 11);
  const form = formOf(page);
  const { editor } = onEditorScreen(page);
  const newName = form.getByRole('textbox', { name: 'New name in values' });
  await newName.focus();
  await page.keyboard.type('domain');
  await page.keyboard.press('Tab');
  await expect(form.getByRole('textbox', { name: 'domain', exact: true })).toBeFocused();
  await page.keyboard.type('=row.email');
  await page.keyboard.press('Enter');
  await expect(newName).toBeFocused();
  await expect(editor).toContainText('domain: "=row.email"');

  // The last name has no value yet.
  // While it is added, the focus stays with a user who types on.
  const added = await holdQuestion(page, 'edit');
  await newName.fill('upper');
  await page.keyboard.press('Enter');
  await page.keyboard.type('=row.email.');
  await added.free();
  await expect(editor).toContainText('upper: ""');
  await page.keyboard.type('toUpperCase()');
  await page.keyboard.press('Enter');
  await expect(form.getByRole('textbox', { name: 'upper', exact: true })).toBeFocused();
  await expect(editor).toContainText('upper: "=row.email.toUpperCase()"');
  await expect(newName).toHaveValue('');

  // No name waits for a value: the value waits for its name.
  await newName.fill('=row.email.length');
  await page.keyboard.press('Enter');
  await expect(form.getByText('Enter the name of the value')).toContainText('=row.email.length');
  await expect(editor).not.toContainText('=row.email.length');
  expect(await barriers(page)).toEqual([]);
  await newName.fill('size');
  await page.keyboard.press('Enter');
  await expect(editor).toContainText('size: =row.email.length');

  await form.getByRole('textbox', { name: 'Name of size' }).fill('=row.size');
  await page.keyboard.press('Enter');
  await expect(form.getByRole('alert')).toContainText('A name cannot begin with "="');
  await expect(editor).not.toContainText('=row.size');
});

test('a step that removed the node of the form is undone and redone by keyboard', async ({ page, enter }) => {
  await enter('/workflows/leads');
  await openForm(page, 11);
  const { card, editor, file } = onEditorScreen(page);
  await card('lead').click();
  await page.keyboard.press('a');
  await page.keyboard.type('set');
  await page
    .getByRole('dialog', { name: 'Add a node' })
    .getByRole('textbox', { name: 'Id', exact: true })
    .fill('extra');
  await page.keyboard.press('Enter');
  await expect(card('extra')).toHaveAttribute('aria-selected', 'true');
  const form = formOf(page);
  await form.getByRole('textbox', { name: 'New name in values' }).focus();
  await page.keyboard.press('Control+z');
  await expect(editor).not.toContainText('extra');
  await expect(file).toContainText('No changes');
  // The field is gone with its node; the keys are where a user presses Tab next.
  await page.getByRole('button', { name: 'Wide' }).focus();
  await page.keyboard.press('Control+y');
  await expect(editor).toContainText('extra');
  await page.keyboard.press('Control+z');
  await expect(editor).not.toContainText('extra');
  await page.keyboard.press('Control+Shift+z');
  await expect(editor).toContainText('extra');
});

const outreach = `rowbench: 1
id: leads
nodes:
  - { id: input, type: input, testRows: [{ company: lovelace }] }
  # The company register.
  - id: firm
    type: http
    request: { url: "https://api.example.com/companies/{{ row.company }}" }
    auth: { secret: ENRICH_KEY, header: x-api-key }
    retry: { attempts: 4, delay: 200ms }
  - { id: opener, type: set, when: row.company, values: { text: "=nodes.firm.status" } }
  - { id: mail, type: set, when: row.company, values: { text: "=nodes.opener?.text" } }
  - { id: result, type: output, fields: { mail: "=nodes.mail?.text" } }
`;

const outreachTest = base.extend({
  app: async ({}, use) => {
    const app = await startApp({ workflows: { leads: outreach } });
    await use(app);
    await app.close();
  },
});

outreachTest(
  'the inspector is short, adds and removes options, and has the note, the id and the workflow',
  async ({ page, enter, problems }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await enter('/workflows/leads');
    const form = formOf(page);
    const { editor, lines, card, file } = onEditorScreen(page);
    const rowsAtOnce = form.getByRole('textbox', { name: 'Rows at once' });
    await rowsAtOnce.focus();
    await rowsAtOnce.fill('4');
    await expect(editor).toContainText(/concurrency: 4\s*nodes:/);
    const wide = page.getByRole('button', { name: 'Wide' });
    await wide.focus();
    await page.keyboard.press('Control+z');
    await expect(file).toContainText('No changes');

    await card('firm').click();
    await expect(form.getByRole('textbox', { name: 'url' })).toBeVisible();
    expect(await form.locator('input, select, textarea, [role=textbox]').count()).toBeLessThanOrEqual(12);
    expect((await form.boundingBox())?.height).toBeLessThanOrEqual(700);
    expect(await barriersInBothThemes(page)).toEqual([]);

    const url = form.getByRole('textbox', { name: 'url' });
    const height = (await url.boundingBox())?.height;
    await url.focus();
    await expect.poll(async () => (await form.locator('.cm-content').boundingBox())?.height).toBe(height);

    await addOption(page, 'body');
    await expect(form.getByRole('textbox', { name: 'body', exact: true })).toBeFocused();
    await expect(editor).toContainText('method: POST, body: ""');
    await page.keyboard.press('Control+z');
    await expect(file).toContainText('No changes');
    await page.getByRole('combobox', { name: 'Add option' }).fill('cookies');
    const option = page.getByRole('listbox', { name: 'Options' }).getByRole('option').first();
    await option.click({ button: 'right' });
    await option.click();
    await expect(editor).toContainText('session:');
    await wide.focus();
    await page.keyboard.press('Control+z');
    await expect(file).toContainText('No changes');
    await form.getByRole('button', { name: 'Remove Try again' }).press('Enter');
    await expect(editor).not.toContainText('retry');
    await page.keyboard.press('Control+z');
    await expect(editor).toContainText('retry: { attempts: 4, delay: 200ms }');
    const frequency = form.getByRole('combobox', { name: 'How often' });
    await frequency.selectOption('for each item of');
    await expect(editor).toContainText('each: ');
    await frequency.selectOption('again while');
    await expect(editor).toContainText('repeat:');
    await expect(editor).not.toContainText('each: ');
    await wide.focus();
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    await expect(file).toContainText('No changes');

    const note = form.getByRole('textbox', { name: 'Note' });
    await expect(note).toHaveValue('The company register.');
    await note.fill('The register.\nIt is slow.');
    await page.keyboard.press('Control+Enter');
    await expect(editor).toContainText('# The register.');
    await expect(editor).toContainText('# It is slow.');
    await expect(card('firm')).toContainText('The register.');

    await form.getByRole('textbox', { name: /^id/ }).fill('company');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Rename firm' });
    await expect(dialog.getByRole('status')).toHaveText('2 lines in 1 file will change.');
    await page.keyboard.press('Enter');
    await expect(card('company')).toBeVisible();
    await expect(editor).toContainText('=nodes.company.status');

    await page.getByRole('listbox', { name: /^Nodes/ }).press('Control+a');
    await expect(form).toContainText('5 nodes');
    const condition = form.getByRole('textbox', { name: /^Only if/ });
    const options = page.locator('.cm-tooltip-autocomplete').getByRole('option');
    await condition.focus();
    await page.keyboard.type('1 + row.');
    await options.filter({ hasText: 'company' }).click();
    // All but the input, which has none; the user types on in the field, and a click leaves it for another node.
    await expect(lines.filter({ hasText: '1 + row.company' })).toHaveCount(4);
    await expect(condition).toHaveText('1 + row.company');
    await page.keyboard.press('Escape');
    await expect(editor.getByText('when: row.company,')).toHaveCount(2);
    await expect(condition).toHaveText('They have different conditions');
    await page.keyboard.type("row.company !== ''");
    await expect(lines.filter({ hasText: "!== ''" })).toHaveCount(4);
    await expect(condition).toBeFocused();
    await page.keyboard.press('Control+a');
    await page.keyboard.type("row.company !== 'd'");
    await card('company').click();
    await expect(card('company')).toHaveAttribute('aria-selected', 'true');
    await expect(lines.filter({ hasText: "!== 'd'" })).toHaveCount(4);
    await expect(form).not.toContainText('5 nodes');
    await wide.focus();
    await page.keyboard.press('Control+z');
    await expect(editor.getByText('when: row.company,')).toHaveCount(2);
    expect(problems).toEqual([]);
  },
);
