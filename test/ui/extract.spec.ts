// Extract and inline by the keyboard, from the text, the form and the graph.
import { editLine, onEditorScreen, test as base } from './editor-screen.ts';
import { barriers, expect, startApp } from './in-app.ts';

const leads = `rowbench: 1
id: leads
nodes:
  - { id: input, type: input, testRows: [{ email: "ada@x.org" }] }
  - id: lead # the lead
    type: set
    values:
      host: =row.email.split('@')[1]
      mail: "{{ row.email }}, {{ row.email.trim() }}"
  - { id: result, type: output, fields: { host: =nodes.lead.host } }
`;

const test = base.extend({
  app: async ({}, use) => {
    const app = await startApp({ workflows: { leads } });
    await use(app);
    await app.close();
  },
});

test('a selected part is extracted in text and form, and inlined in the graph', async ({
  page,
  enter,
  problems,
}) => {
  await enter('/workflows/leads');
  const { lines, card } = onEditorScreen(page);
  await editLine(page, 8);
  for (let n = 0; n < 3; n += 1) await page.keyboard.press('ArrowLeft');
  for (let n = 0; n < "row.email.split('@')".length; n += 1) await page.keyboard.press('Shift+ArrowLeft');
  await page.keyboard.press('Shift+F2');
  await expect(card('host')).toBeVisible();
  await expect(lines.filter({ hasText: 'host: =nodes.host.host[1]' })).toBeVisible();
  await expect(lines.filter({ hasText: "host: =row.email.split('@')" })).toBeVisible();

  await card('host').click();
  await page.keyboard.press('l');
  await expect(card('host')).toBeHidden();
  await expect(lines.filter({ hasText: "host: =row.email.split('@')[1]" })).toBeVisible();

  await card('lead').click();
  const panel = page.getByRole('region', { name: 'Form', exact: true });
  await expect(panel.getByRole('button', { name: 'Extract values.mail' })).toBeVisible();
  await panel.getByRole('textbox', { name: 'mail', exact: true }).press('Control+a');
  await page.keyboard.press('Shift+F2');
  await expect(page.getByText('Select one whole expression')).toBeVisible();
  await panel.getByRole('button', { name: 'Extract values.host' }).press('Enter');
  await expect(lines.filter({ hasText: 'host: =nodes.host.host' })).toBeVisible();
  expect(await barriers(page)).toEqual([]);
  expect(problems).toEqual([]);
});
