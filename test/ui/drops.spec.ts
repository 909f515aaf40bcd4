// Files that a user drops on any screen, and files that he chooses in the import.
import type { Page } from '@playwright/test';
import { barriers, barriersInBothThemes, expect, resize, test } from './in-app.ts';

const workflow = `rowbench: 1
id: calls
name: Call a service
nodes:
  - { id: input, type: input }
  - { id: company, type: http, request: { url: "https://api.example.com/{{ row.id }}" } }
  - { id: result, type: output, fields: { name: "=nodes.company.body.name" } }
`;
const tests = `rowbench: 1
tests:
  - name: one row
    rows: [{ id: 1 }]
    expect: { status: failed }
`;

type Dropped = { readonly name: string; readonly text: string };

/** Drops files on the middle of the page. Resolves to whether the app took the drop from the browser. */
const drop = (page: Page, files: readonly Dropped[]): Promise<boolean> =>
  page.evaluate((all) => {
    const dataTransfer = new DataTransfer();
    for (const { name, text } of all) dataTransfer.items.add(new File([text], name));
    const target =
      document.querySelector('dialog[open] form') ?? document.querySelector('main') ?? document.body;
    const send = (type: string): boolean =>
      !target.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    return [send('dragover'), send('drop')].every(Boolean);
  }, files);

const imported = (page: Page) => page.getByRole('region', { name: 'What would be imported' });

test('a workflow file that is dropped on any screen is previewed and imported', async ({
  app,
  page,
  enter,
}) => {
  await enter('/runs');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const files = [
    { name: 'calls.workflow.yaml', text: workflow },
    { name: 'calls.tests.yaml', text: tests },
  ];
  expect(await drop(page, files)).toBe(true);
  await expect(page).toHaveURL(/\/workflows$/);
  await expect(imported(page)).toContainText('Call a service');
  await expect(imported(page)).toContainText('https://api.example.com');
  await expect(imported(page)).toContainText('calls.tests.yaml');
  expect(await barriers(page)).toEqual([]);
  await page.getByRole('button', { name: 'Import, trust later' }).click();
  await expect(page.getByRole('button', { name: /^Not trusted yet/ })).toBeVisible();
  await expect(page.locator('[data-node="company"]')).toBeVisible();
  await expect(page.locator('body')).not.toContainText(/rowbench (?:secrets|test|grants|serve|open|trust)/);
  expect((await app.handlers['workflow.show']({ workflowId: 'calls' })).trust).toBe('untrusted');
  expect((await app.handlers['workflow.tests']({ workflowId: 'calls' })).files).toHaveLength(1);
});

test('a file is chosen and previewed, also in a narrow window', async ({ page, enter }) => {
  await enter('/workflows');
  await page.getByRole('button', { name: 'Import…' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Choose files…' })).toBeFocused();
  await page.getByLabel('Files of workflows').setInputFiles({
    name: 'broken.yaml',
    mimeType: 'text/yaml',
    buffer: Buffer.from(workflow.replace('row.id }}" } }', 'row.id }}" }')),
  });
  await expect(imported(page)).toContainText('This { is never closed');
  expect(await barriersInBothThemes(page)).toEqual([]);
  await resize(page, 700);
  expect(await barriers(page)).toEqual([]);
  await drop(page, [{ name: 'calls.yaml', text: workflow }]);
  await expect(imported(page)).toContainText('Call a service');
  await expect(page.getByRole('button', { name: 'Import and trust' })).toBeVisible();
});

test('rows that are dropped ask which workflow to run, and open its row entry', async ({ page, enter }) => {
  await enter('/runs');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const rows = [{ name: 'contacts.csv', text: 'n,name\n1,Ada\n2,Grace\n' }];
  expect(await drop(page, rows)).toBe(true);
  const field = page.getByRole('combobox', { name: 'Run which workflow with contacts.csv?' });
  await expect(field).toBeFocused();
  await page.keyboard.press('Escape');
  await page.keyboard.press('c');
  await expect(page.getByRole('combobox', { name: 'Run which workflow?' })).toBeFocused();
  await page.keyboard.press('Escape');
  await drop(page, rows);
  await field.fill('quick');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/workflows\/quick\/run/);
  await expect(page.getByText('contacts.csv').first()).toBeVisible();
  const firstRows = page.getByRole('region', { name: 'The first rows of the file' });
  await expect(firstRows.getByRole('cell', { name: 'Grace' })).toBeVisible();
});

test('rows that are dropped on the page of a workflow open its row entry', async ({ page, enter }) => {
  await enter('/workflows/quick');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await drop(page, [{ name: 'contacts.ndjson', text: '{"name":"Ada"}\n' }]);
  await expect(page).toHaveURL(/\/workflows\/quick\/run/);
  await expect(page.getByText('Ada').first()).toBeVisible();
});

test('a file of another kind is refused with what can be dropped', async ({ page, enter }) => {
  await enter('/settings');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(await drop(page, [{ name: 'photo.png', text: 'x' }])).toBe(true);
  await expect(page.getByText(/^Drop a workflow file \(YAML\) to import it/)).toBeVisible();
});
