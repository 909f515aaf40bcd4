// What the fields of the form offer and show beside their text: names to choose from, values of the chosen row, the case
// that the row takes, and the members of values.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { paste } from './clipboard.ts';
import { addOption, editLine, fileOf, onEditorScreen, test as base } from './editor-screen.ts';
import { barriers, expect, startApp } from './in-app.ts';

const leads = `rowbench: 1
id: leads
nodes:
  - id: input
    type: input
    testRows: [{ email: "ada@b.example", size: 2 }, { email: "bo@c.example", size: 90 }]
  - id: lead
    type: set
    values: { host: "=row.email.split('@')[1]", "more": { tags: [ "a", "=row.size" ] } } # stays
  - id: band
    type: switch
    cases:
      - { when: row.size > 50, value: large }
      - { when: row.size > 1, value: small }
    default: none
  - id: code
    type: lookup
    table: codes.csv
    key: code
    match: =row.email
  - id: result
    type: output
    fields: { host: "=nodes.lead.host" }
`;

const test = base.extend({
  app: async ({}, use) => {
    const app = await startApp({ workflows: { leads } });
    await writeFile(join(app.dataDir, 'workflows', 'codes.csv'), 'code,label\nx,y\n');
    await app.handlers['secret.set']({ name: 'CRM_TOKEN', hosts: ['api.example.com'], value: 'hidden' });
    await use(app);
    await app.close();
  },
});

test('fields show values of the chosen row, take columns of a spreadsheet, and offer names', async ({
  page,
  context,
  enter,
  problems,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await enter('/workflows/leads');
  await editLine(page, 9);
  const form = page.getByRole('region', { name: 'Form', exact: true });
  const { editor, card } = onEditorScreen(page);

  await expect(form.getByRole('textbox', { name: 'host', exact: true })).toHaveAccessibleDescription(
    /In row 1: "b\.example"/,
  );
  const tag = form.getByRole('textbox', { name: 'Item 2 of tags' });
  await expect(tag).toHaveAccessibleDescription(/In row 1: 2/);
  await tag.focus();
  await tag.fill('=row.size + 1');
  await page.keyboard.press('Control+Enter');
  await expect(editor).toContainText('"more": { tags: [ "a", "=row.size + 1" ] } } # stays');
  await expect(tag).toHaveAccessibleDescription(/In row 1: 3/);
  await tag.fill('=row.gone.x');
  await page.keyboard.press('Control+Enter');
  await expect(form).toContainText('Cannot read properties of undefined');
  await page.keyboard.press('Control+z');
  await expect(tag).toHaveText('=row.size + 1');
  expect(await barriers(page)).toEqual([]);

  await form.getByRole('textbox', { name: 'New name in values' }).focus();
  await paste(page, 'title\tLead {{ row.size }}\nweight\t12\n');
  await expect(editor).toContainText('title: "Lead {{ row.size }}", weight: 12 } # stays');
  await expect(form.getByRole('textbox', { name: 'title', exact: true })).toHaveAccessibleDescription(
    /"Lead 2"/,
  );
  await page.keyboard.press('Control+z');
  await expect(editor).not.toContainText('title');

  await card('band').click();
  await expect(form.getByRole('group', { name: /^Item 2/ })).toContainText('Taken in row 1');
  await page.keyboard.press(']');
  await expect(form.getByRole('group', { name: /^Item 1/ })).toContainText('Taken in row 2');

  await card('code').click();
  const key = form.getByRole('combobox', { name: 'key' });
  await key.selectOption('label');
  await expect(editor).toContainText('key: label');
  await form.getByRole('combobox', { name: 'table' }).selectOption('Another name…');
  await expect(form.getByRole('textbox', { name: 'table' })).toBeFocused();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('more.csv');
  await page.keyboard.press('Enter');
  await expect(editor).toContainText('table: more.csv');
  await expect(form.getByRole('textbox', { name: 'key' })).toBeVisible();

  await form.getByRole('combobox', { name: /^type/ }).selectOption('http');
  await addOption(page, 'Sign in');
  const auth = form.getByRole('combobox', { name: /^secret/ });
  await expect(auth).toBeFocused();
  await auth.selectOption('CRM_TOKEN (api.example.com)');
  await expect(editor).toContainText('secret: CRM_TOKEN');
  expect(problems).toEqual([]);
});

test('a warning stands at its field, which is not marked as invalid', async ({ page, enter }) => {
  await enter('/workflows/leads');
  await editLine(page, 10);
  const form = page.getByRole('region', { name: 'Form', exact: true });
  await expect(form.getByText('Nothing reads the node "band"')).toHaveClass(/amber/);
  const id = form.getByRole('textbox', { name: /^id/ });
  await expect(id).toHaveAccessibleDescription(/Nothing reads the node "band"/);
  await expect(id).not.toHaveAttribute('aria-invalid');
});

test('a form that is taller than the window scrolls below the header', async ({ page, enter }) => {
  await enter('/workflows/leads');
  await editLine(page, 9);
  const form = page.getByRole('region', { name: 'Form', exact: true });
  await form.getByRole('combobox', { name: 'Add option' }).waitFor();
  const below = () => page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
  expect(await below()).toBe(0);
});

test('a new lookup has the only table of the folder; a missing table or column shows at its field', async ({
  app,
  page,
  enter,
  problems,
}) => {
  await writeFile(join(app.dataDir, 'workflows', 'leads.rows.json'), '[{ "email": "ada@b.example" }]');
  await enter('/workflows/leads/problems');
  await editLine(page, 9);
  const { card, editor, issues } = onEditorScreen(page);
  // The drawer lies over the lower part of the card.
  await card('band').click({ position: { x: 60, y: 8 } });
  await page.keyboard.press('a');
  const dialog = page.getByRole('dialog', { name: 'Add a node' });
  await dialog.getByRole('option', { name: 'Look up in a table' }).click();
  await dialog.getByRole('textbox', { name: 'Id' }).fill('found');
  await page.keyboard.press('Enter');
  await expect(card('found')).toBeVisible();
  await expect(editor).toContainText('table: codes.csv');
  await expect(editor).not.toContainText('table.csv');
  await writeFile(join(app.dataDir, 'workflows', 'plans.csv'), 'id,price\nfree,0\n');
  const form = page.getByRole('region', { name: 'Form', exact: true });
  await form.getByRole('combobox', { name: 'table' }).selectOption('Another name…');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('gone.csv');
  await page.keyboard.press('Enter');
  await expect(editor).toContainText('gone.csv');
  await expect(issues).toContainText('the table gone.csv cannot be read');
  await expect(issues.getByRole('button', { name: 'Change to "plans.csv", column "id"' })).toBeVisible();
  const table = form.getByRole('combobox', { name: 'table' });
  await expect(table).toHaveAccessibleDescription(/the table gone\.csv cannot be read/);
  await expect(table).toHaveAttribute('aria-invalid', 'true');
  await form.getByRole('button', { name: 'Change to "plans.csv", column "id"' }).press('Enter');
  await expect(editor).toContainText('table: plans.csv');
  await expect(issues).not.toContainText('gone.csv');
  await expect(form).not.toContainText('cannot be read');

  const key = form.getByRole('combobox', { name: 'key' });
  await key.selectOption('Another name…');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('code');
  await page.keyboard.press('Enter');
  await expect(key).toHaveAccessibleDescription(/no record of the table plans\.csv has "code"/);
  await expect(key).toHaveAttribute('aria-invalid', 'true');
  await expect(table).not.toHaveAttribute('aria-invalid', 'true');
  expect(problems).toEqual([]);
});

test('a new case of a switch begins with empty fields, of which the first has the focus', async ({
  page,
  enter,
  problems,
}) => {
  await enter('/workflows/leads');
  await editLine(page, 10);
  const { editor } = onEditorScreen(page);
  const form = page.getByRole('region', { name: 'Form', exact: true });
  await form.getByRole('button', { name: 'Add an item to cases' }).press('Enter');
  await expect(editor).toContainText('- { when: "", value: "" }');
  const item = form.getByRole('group', { name: /^Item 3/ });
  const when = item.getByRole('textbox', { name: /^when/ });
  await expect(when).toBeFocused();
  await expect(when).toHaveAttribute('aria-placeholder', 'Expression');
  await expect(when).toHaveAccessibleDescription(/The expression is empty/);
  await page.keyboard.type('row.size > 0');
  await page.keyboard.press('Tab');
  const value = item.getByRole('textbox', { name: /^value/ });
  await value.focus();
  // Regression: in a narrow item, the field with the caret had no width, and the list of types lay over it.
  await expect.poll(async () => (await value.boundingBox())?.width).toBeGreaterThan(100);
  await value.fill('tiny');
  await page.keyboard.press('Control+Enter');
  await expect(editor).toContainText('- { when: "row.size > 0", value: "tiny" }');
  await expect(form).not.toContainText('The expression is empty');
  await form.getByRole('button', { name: 'Remove item 3' }).press('Enter');
  await expect(item).toHaveCount(0);
  expect(problems).toEqual([]);
});

const manyNodes = `rowbench: 1
id: leads
nodes:
  - { id: input, type: input, testRows: [{ n: 1 }] }
${Array.from({ length: 50 }, (_, index) => `  - { id: step${index}, type: set, values: { n: =row.n } }\n`).join('')}  - id: last
    type: set
    values: { n: =row.n }
  - { id: result, type: output, fields: { n: =nodes.last.n } }
`;

const manyNodesTest = base.extend({
  app: async ({}, use) => {
    const app = await startApp({ workflows: { leads: manyNodes } });
    await use(app);
    await app.close();
  },
});

manyNodesTest('of 50 nodes, a filter finds those to wait for', async ({ page, enter, problems }) => {
  await enter('/workflows/leads');
  await editLine(page, 55);
  const form = page.getByRole('region', { name: 'Form', exact: true });
  await addOption(page, 'after');
  await expect(onEditorScreen(page).editor).toContainText('after: step49');
  const filter = form.getByRole('searchbox', { name: 'Filter nodes' });
  const group = form.getByRole('group', { name: /after/ });
  await filter.fill('P4');
  await expect(group.getByRole('checkbox')).toHaveCount(11);
  await filter.fill('step42');
  await page.keyboard.press('Enter');
  await expect(onEditorScreen(page).editor).toContainText('after: [step49, step42]');
  await expect(group.getByRole('status')).toHaveText('Waits for step49, step42');
  await page.keyboard.press('Escape');
  await expect(filter).toHaveValue('');
  await group.getByRole('checkbox', { name: 'step7' }).press('Space');
  await expect(group.getByRole('status')).toHaveText('Waits for step49, step42, step7');
  expect(await barriers(page)).toEqual([]);
  await filter.fill('none');
  await expect(group).toContainText('No node matches.');
  expect(problems).toEqual([]);
});

test('an expression field completes, shows its value while it is typed in, and is one step of undo', async ({
  app,
  page,
  enter,
  problems,
}) => {
  await enter('/workflows/leads');
  await editLine(page, 9);
  const form = page.getByRole('region', { name: 'Form', exact: true });
  const { editor, file, card, values } = onEditorScreen(page);
  const options = page.locator('.cm-tooltip-autocomplete').getByRole('option');
  const host = form.getByRole('textbox', { name: 'host', exact: true });
  await expect(form.getByRole('combobox', { name: 'Type of host' })).toHaveValue('Expression');
  await host.focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('=nodes.');
  await expect(options.filter({ hasText: 'band' })).toBeVisible();
  await expect(form.getByText('The code ends too early')).toBeVisible();
  await expect(host).toHaveText('=nodes.');
  await host.fill('=row.email.length');
  await expect(form.locator('[data-value="13"]')).toBeVisible();
  await expect(host).toBeFocused();
  await page.keyboard.press('Escape');
  await host.fill('Dear {{ nodes.');
  await expect(options.filter({ hasText: 'band' })).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(editor).toContainText('host: "Dear {{ nodes."');
  await page.keyboard.press('Control+z');
  await expect(file).toContainText('No changes');
  await expect(host).toHaveText("=row.email.split('@')[1]");

  await host.focus();
  await page.keyboard.type('.length');
  await expect(editor).toContainText("split('@')[1].length");
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await expect(file).toContainText('No changes');
  await expect(host).toBeFocused();
  await expect(host).toHaveText("=row.email.split('@')[1]");

  // Another program changes the value and adds a node before this one, and the window loses the focus: the caret stays.
  const changed = leads.replace(')[1]"', ')[0]"');
  const first = '  - { id: first, type: set, values: { a: 1 } }\n';
  await writeFile(fileOf(app.dataDir), changed.replace('  - id: lead', `${first}  - id: lead`));
  await expect(host).toHaveText("=row.email.split('@')[0]");
  await page.evaluate(() =>
    document.activeElement?.dispatchEvent(new FocusEvent('focusout', { bubbles: true })),
  );
  await page.keyboard.type('.length');
  await expect(host).toHaveText("=row.email.split('@')[0].length");
  await expect(editor).toContainText("split('@')[0].length");

  await page.keyboard.press('Control+a');
  await page.keyboard.type('=nodes.');
  await expect(options.filter({ hasText: 'first' })).toBeVisible();
  await expect(options.filter({ hasText: 'lead' })).toHaveCount(0);
  await page.keyboard.press('Control+a');
  await page.keyboard.type('=');
  await values.getByRole('button', { name: 'email', exact: true }).press('Enter');
  await expect(host).toHaveText('=row.email');
  await expect(host).toBeFocused();
  await expect(editor).toContainText('host: "=row.email"');

  // A value that is dragged goes where it is dropped: into a field, or into the text.
  await page.setViewportSize({ width: 1280, height: 1400 });
  const size = values.getByRole('button', { name: 'size', exact: true });
  await size.dragTo(form.getByRole('textbox', { name: 'Item 1 of tags' }));
  await expect(editor).toContainText('tags: [ "a{{ row.size }}"');
  await expect(form.locator('[data-value=\'"a2"\']')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(editor).toContainText('tags: [ "a", ');
  await size.dragTo(editor.getByText('match: =row.email'));
  await expect(editor).toContainText('match: =row.email row.size');
  await page.keyboard.press('Control+z');
  await expect(editor).not.toContainText('row.email row.size');
  await card('lead').click();

  // A text that is no JSON is named once its field has gone.
  await card('input').click();
  const row = form.getByRole('textbox', { name: /^Item 1/ });
  await row.focus();
  await page.keyboard.type(' x');
  await card('lead').click();
  await expect(page.getByText(/was not written\. This is not JSON/)).toBeVisible();
  expect(problems).toEqual([]);
});
