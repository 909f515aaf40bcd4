// New workflows: from rows, from a template, from a curl command, and what cannot be created.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { smallWorkbook } from '../builders/small-workbook.ts';
import { paste } from './clipboard.ts';
import { barriers, barriersInBothThemes, callOf, expect, holdAnswer, test } from './in-app.ts';

const leads = `email\tsize\tcode
ada@example.com\t120\t007
alan@example.com\t9\t012
grace@example.com\t44\t001
linus@example.com\t1\t090
katherine@example.com\t340\t111
`;

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

const onDialog = (page: Page) => {
  const dialog = page.getByRole('dialog', { name: 'New workflow' });
  return {
    dialog,
    open: page.getByRole('button', { name: 'New workflow…' }),
    rows: dialog.getByLabel('Paste rows'),
    curl: dialog.getByLabel('Paste a curl command'),
    name: dialog.getByLabel('Name', { exact: true }),
    id: dialog.getByLabel('Id', { exact: true }),
    text: dialog.getByRole('region', { name: 'Text of the workflow' }),
    create: dialog.getByRole('button', { name: 'Create workflow' }),
    from: (source: string) => dialog.getByRole('radio', { name: source, exact: true }),
  };
};

const filesOf = async (dataDir: string): Promise<readonly string[]> =>
  (await readdir(join(dataDir, 'workflows'))).filter(
    (name) => !/^(echo|waiting|failing|broken|quick)\./.test(name),
  );

const textOf = (dataDir: string, name: string): Promise<string> =>
  readFile(join(dataDir, 'workflows', name), 'utf8');

test('pasted rows become a workflow that runs within two clicks', async ({ app, page, enter }) => {
  await enter('/workflows');
  const { dialog, open, rows, text, create } = onDialog(page);
  await open.press('Enter');
  await expect(rows).toBeFocused();
  await paste(page, leads);
  await expect(dialog.getByRole('status')).toHaveText('5 rows, TSV.');
  await expect(text).toContainText('testRows:');
  expect(await barriers(page)).toEqual([]);
  await create.click();
  await expect(page).toHaveURL(/\/workflows\/new-workflow$/);
  await page.getByRole('button', { name: 'Run 5 rows' }).click();
  await expect(page.getByText('Completed').first()).toBeVisible();
  expect(await textOf(app.dataDir, 'new-workflow.workflow.yaml')).toContain(`name: New workflow

nodes:
  # Each object that a script sends is one row.
  - id: input
    type: input
    fields:
      email: { type: string, required: true }
      size: { type: number, required: true }
      code: { type: string, required: true }
    testRows:
      - { email: ada@example.com, size: 120, code: '007' }
`);
});

test('a template is copied with its tests, which pass', async ({ app, page, enter }) => {
  await enter('/workflows');
  await expect(onDialog(page).open).toBeVisible();
  await page.keyboard.press('n');
  const { dialog, from, name, id, text, create } = onDialog(page);
  await from('Template').check();
  await dialog.getByRole('radio', { name: /^Ticket routing/ }).check();
  await expect(name).toHaveValue('Ticket routing');
  await expect(id).toHaveValue('ticket-routing');
  await name.fill('Übersicht: Tickets');
  await expect(id).toHaveValue('ubersicht-tickets');
  await expect(text).toContainText("name: 'Übersicht: Tickets'");
  expect(await barriers(page)).toEqual([]);
  await create.press('Enter');
  await expect(page).toHaveURL(/\/workflows\/ubersicht-tickets$/);
  const { passed, failed } = await app.handlers['workflow.runTests']({ workflowId: 'ubersicht-tickets' });
  expect([passed > 0, failed]).toEqual([true, 0]);
});

test('the credential of a curl command is stored as a secret, and nowhere else', async ({
  app,
  page,
  enter,
}) => {
  const sent: string[] = [];
  page.on('request', (request) => {
    if ((request.postData() ?? '').includes('hush-4711')) sent.push(new URL(request.url()).pathname);
  });
  await enter('/workflows?new');
  const { dialog, from, curl, name, text, create } = onDialog(page);
  await from('curl command').check();
  await curl.fill(
    `curl 'https://api.crm.com/v1/companies?size=5' -H 'Accept-Language: en' -H 'Authorization: Bearer hush-4711-hush'`,
  );
  await expect(name).toHaveValue('api.crm.com');
  await expect(text).toContainText('auth: { secret: CRM_TOKEN }');
  await expect(text).not.toContainText('hush');
  const credential = dialog.getByRole('region', { name: 'Credential' });
  await expect(credential.getByRole('checkbox')).toBeChecked();
  await credential.getByRole('textbox').fill('CRM_KEY');
  await expect(text).toContainText('auth: { secret: CRM_KEY }');
  expect(await barriers(page)).toEqual([]);
  await create.press('Enter');
  await expect(page).toHaveURL(/\/workflows\/api-crm-com$/);
  const secret = await app.services.secrets.find('CRM_KEY');
  expect([secret?.value, secret?.hosts]).toEqual(['hush-4711-hush', ['api.crm.com']]);
  expect(sent).toEqual(['/_rowbench/v1/call/secret.set']);
  for (const file of await readdir(app.dataDir, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue;
    const bytes = await readFile(join(file.parentPath, file.name));
    expect([file.name, bytes.includes('hush-4711')]).toEqual([file.name, false]);
  }
});

test('a curl command with a credential in its path shows a warning', async ({ page, enter }) => {
  await enter('/workflows?new');
  const { dialog, from, curl } = onDialog(page);
  await from('curl command').check();
  await curl.fill('curl https://chat.example/services/T01/B02/aZ3kL9mQ2xR7tY5uW8pN4vB6');
  const warning = dialog.getByText('The URL may have a credential in its path (chat.example/…)');
  await expect(warning).toBeVisible();
  expect(await barriersInBothThemes(page)).toEqual([]);
  await curl.fill('curl https://chat.example/v1/messages');
  await expect(warning).toBeHidden();
});

test('a curl command that would read a file or run a command is refused', async ({ app, page, enter }) => {
  await enter('/workflows?new');
  const { dialog, from, curl, text, create } = onDialog(page);
  await from('curl command').check();
  for (const [command, reason] of [
    ['curl -d @rows.json https://a.example', 'would read a file'],
    ['curl https://a.example/$(whoami)', 'is not run'],
    ['curl --proxy http://p.example https://a.example', 'does not choose a proxy'],
    ['wget https://a.example', 'must begin with curl'],
  ] as const) {
    await curl.fill(command);
    await expect(dialog.getByRole('alert')).toContainText(reason);
    await expect(text).toBeHidden();
  }
  await create.press('Enter');
  await expect(dialog.getByRole('alert').last()).toContainText('must begin with curl');
  expect(await filesOf(app.dataDir)).toEqual([]);
});

test('Escape asks before it drops pasted rows, and again keeps them', async ({ page, enter }) => {
  await enter('/workflows?new');
  const { dialog } = onDialog(page);
  const rows = dialog.getByRole('textbox', { name: 'Paste rows' });
  await rows.fill('name,employees\nAda,120');
  await page.keyboard.press('Escape');
  await expect(dialog.getByRole('alert')).toHaveText('Discard the new workflow?');
  await expect(dialog.getByRole('button', { name: 'Keep editing' })).toBeFocused();
  expect(await barriers(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(rows).toBeFocused();
  await expect(rows).toHaveValue('name,employees\nAda,120');
  await page.mouse.click(5, 5);
  await expect(dialog.getByRole('alert')).toBeVisible();
  await dialog.getByRole('button', { name: 'Discard' }).click();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(/\/workflows$/);
});

test('an id that is taken is said while typing', async ({ page, enter }) => {
  await enter('/workflows?new');
  const { dialog, from, id, name, create } = onDialog(page);
  await from('Empty').check();
  await name.fill('Echo');
  await expect(id).toHaveValue('echo-2');
  await id.fill('echo');
  await expect(dialog.getByRole('alert')).toContainText(/^Taken by .*echo\.workflow\.yaml$/);
  await create.press('Enter');
  await expect(dialog.getByRole('alert')).toHaveCount(2);
  await id.fill('e c h o');
  await expect(dialog.getByRole('alert').first()).toContainText('An id has 1 to 64 letters');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(/\/workflows$/);
});

test('of two windows that create the same id at once, one is refused', async ({
  app,
  page,
  enter,
  context,
}) => {
  await enter('/workflows?new');
  // The address is that of the dialog once it shows.
  await expect(onDialog(page).dialog).toBeVisible();
  const other = await context.newPage();
  await other.goto(page.url());
  const blocked = [];
  for (const [window, title] of [
    [page, 'First'],
    [other, 'Second'],
  ] as const) {
    const { from, name, id, text } = onDialog(window);
    await from('Empty').check();
    await name.fill(title);
    await id.fill('leads');
    await expect(text).toContainText(`name: ${title}`);
    blocked.push(await holdAnswer(window, callOf('author.create')));
  }
  await onDialog(page).create.press('Enter');
  await onDialog(other).create.press('Enter');
  await Promise.all(blocked.map(({ isBlocked }) => isBlocked));
  for (const { letGo } of blocked) letGo();
  const refusals = () =>
    Promise.all([page, other].map((window) => window.getByText('The id "leads" is taken by').isVisible()));
  await expect.poll(async () => (await refusals()).filter(Boolean)).toHaveLength(1);
  const refused = (await refusals()).indexOf(true);
  expect(await textOf(app.dataDir, 'leads.workflow.yaml')).toContain(
    `name: ${refused === 0 ? 'Second' : 'First'}\n`,
  );
  expect(await filesOf(app.dataDir)).toEqual(['leads.workflow.yaml']);
});

test('a hundred thousand pasted rows are read, and the first thousand become a file', async ({
  app,
  page,
  enter,
}) => {
  await enter('/workflows?new');
  const { dialog, rows, create } = onDialog(page);
  await expect(rows).toBeFocused();
  const lines = Array.from({ length: 100_000 }, (_, n) => `lead ${n}\t${n === 99_999 ? '' : n}`);
  await paste(page, ['name\tsize', ...lines].join('\n'));
  await expect(dialog.getByRole('status')).toHaveText('100,000 rows, TSV. The first 1,000 become test rows.');
  await create.press('Enter');
  await expect(page).toHaveURL(/\/workflows\/new-workflow$/);
  const stored = JSON.parse(await textOf(app.dataDir, 'new-workflow.rows.json')) as readonly unknown[];
  expect([stored.length, stored[999]]).toEqual([1_000, { name: 'lead 999', size: 999 }]);
  // The last row has no size.
  expect(await textOf(app.dataDir, 'new-workflow.workflow.yaml')).toContain(`    fields:
      name: { type: string, required: true }
      size: { type: number }
`);
});

test('a workbook gives its rows and its name', async ({ page, enter }) => {
  await enter('/workflows?new');
  const { dialog, name, text } = onDialog(page);
  const cell = (value: string): string => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
  const buffer = await smallWorkbook({
    sheets: [{ name: 'One', rows: `<row>${cell('city')}</row><row>${cell('Paris')}</row>` }],
  });
  await dialog
    .getByLabel('File of rows')
    .or(page.getByLabel('File of rows'))
    .setInputFiles({ name: 'Big cities.xlsx', mimeType: 'application/octet-stream', buffer });
  await expect(dialog.getByRole('status')).toHaveText('1 row, Excel.');
  await expect(name).toHaveValue('Big cities');
  await expect(text).toContainText('- { city: Paris }');
  await dialog.getByRole('button', { name: 'Other rows…' }).press('Enter');
  await expect(text).toBeHidden();
});

test('the palette opens the dialog on any screen, and hostile rows stay text', async ({ page, enter }) => {
  await enter('/keys');
  await expect(page.getByRole('heading', { name: 'Keys', level: 1 })).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('new workflow');
  await page.keyboard.press('Enter');
  const { rows, text, dialog } = onDialog(page);
  await expect(rows).toBeFocused();
  await paste(
    page,
    '[{"__proto__": 1, "</script><img src=x onerror=alert(1)>": "=row\u202e", "{{ x }}": null}]',
  );
  await expect(text).toContainText('U+202E');
  await expect(text).toContainText('__proto__');
  await paste(page, 'x');
  await expect(dialog.getByRole('alert')).toBeVisible();
});
