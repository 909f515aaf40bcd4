import { mkdtemp, readFile, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { paste } from './clipboard.ts';
import { barriers, barriersInBothThemes, expect, startApp, test as base } from './in-app.ts';

const leads = `rowbench: 1
id: leads
name: Score leads 线索 🦊
nodes:
  - id: input
    type: input
    fields:
      name: { type: string, required: true, description: Who it is }
      employees: { type: number }

  # What the row is about.
  - id: lead
    type: set
    values:
      title: "{{ row.name }}"
  - id: label
    type: switch
    cases:
      - { when: "=row.employees >= 100", value: hot }
    default: cold
  - id: pause
    type: delay
    for: 1ms
    after: label
  - id: result
    type: output
    after: [pause]
    fields:
      title: "=nodes.lead.title"
      label: "=nodes.label"
`;
const tests = `rowbench: 1
tests:
  - name: a large one is hot
    rows: [{ name: Ada, employees: 100 }]
    expect: { status: completed, rows: [{ title: Ada, label: hot }] }
  - name: a small one is warm
    rows: [{ name: Grace, employees: 12 }]
    expect: { status: completed, rows: [{ title: Grace, label: warm }] }
`;

const calls = `rowbench: 1
id: calls
nodes:
  - { id: input, type: input }
  - { id: company, type: http, request: { url: "https://api.example.com/{{ row.id }}" } }
  - { id: result, type: output, fields: { name: "=nodes.company.body.name" } }
`;

const test = base.extend({
  app: async ({}, use) => {
    const app = await startApp({ workflows: { leads } });
    await writeFile(join(app.dataDir, 'workflows', 'leads.tests.yaml'), tests);
    await use(app);
    await app.close();
  },
});

const onScreen = (page: Page) => ({
  graph: page.getByRole('listbox', { name: /^Nodes/ }),
  card: (id: string) => page.locator(`[data-node="${id}"]`),
  line: (text: string) => page.locator('.cm-line').filter({ hasText: text }),
  tab: (name: string) => page.getByRole('tab', { name }),
});
const fileOf = (dataDir: string): string => join(dataDir, 'workflows', 'leads.workflow.yaml');

test('choosing a node shows its lines, choosing a line its node, and the address keeps it', async ({
  page,
  enter,
}) => {
  await enter('/workflows/leads');
  const screen = onScreen(page);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Score leads 线索 🦊');
  await screen.card('label').click();
  await expect(screen.card('label')).toHaveAttribute('aria-selected', 'true');
  for (const line of ['id: label', 'default: cold']) {
    await expect(screen.line(line)).toHaveClass(/selected-line/);
  }
  await expect(screen.line('- id: pause')).not.toHaveClass(/selected-line/);
  expect(page.url()).toContain('node=label');
  await screen.line('title: "{{ row.name }}"').click();
  await expect(screen.card('lead')).toHaveAttribute('aria-selected', 'true');
});

test('the arrow keys walk along the edges', async ({ page, enter }) => {
  await enter('/workflows/leads');
  const { graph, card } = onScreen(page);
  await graph.focus();
  for (const [key, id] of [
    ['ArrowRight', 'input'],
    ['ArrowRight', 'lead'],
    ['ArrowDown', 'label'],
    ['ArrowRight', 'pause'],
    ['ArrowRight', 'result'],
    ['Home', 'input'],
  ] as const) {
    await page.keyboard.press(key);
    await expect(card(id)).toHaveAttribute('aria-selected', 'true');
  }
  await expect(card('label')).toContainText('After input; before pause, result.');
  await page.keyboard.press('+');
  await page.keyboard.press('0');
  await expect(card('result')).toBeInViewport();
});

test('an edit shows by itself, a broken file keeps its view, and a fixed one is whole again', async ({
  app,
  page,
  enter,
}) => {
  await enter('/workflows/leads/tests?node=label');
  const screen = onScreen(page);
  await expect(screen.line('default: cold')).toBeVisible();
  await writeFile(fileOf(app.dataDir), `# Edited.\n${leads.replace('default: cold', 'default: cool')}`);
  await expect(screen.line('default: cool')).toHaveClass(/selected-line/);
  await writeFile(fileOf(app.dataDir), leads.replace('nodes.lead.title', 'nodes.leed.title'));
  await page.getByRole('button', { name: '1 error' }).click();
  await expect(page.getByRole('list', { name: 'Issues' })).toContainText('leed');
  await expect(page.getByRole('button', { name: /^Run(…| \d+ rows?| test rows)$/ })).toBeDisabled();
  await page.getByRole('button', { name: /^Line \d+$/ }).click();
  await expect(screen.card('result')).toHaveAttribute('aria-selected', 'true');
  await writeFile(fileOf(app.dataDir), `nodes: [\n${leads}`);
  await expect(page.getByText('As it was before the file broke')).toBeVisible();
  await expect(screen.card('result')).toBeVisible();
  await unlink(fileOf(app.dataDir));
  await expect(page.getByText('The file is gone; this is what was in it')).toBeVisible();
  await writeFile(fileOf(app.dataDir), leads);
  await expect(page.getByRole('button', { name: 'Valid' })).toBeVisible();
  await expect(screen.tab('Problems')).toHaveAttribute('aria-selected', 'true');
  await expect(screen.card('result')).toHaveAttribute('aria-selected', 'true');
});

test('tests run by themselves, and what differs can be read', async ({ page, enter }) => {
  await enter('/workflows/leads/tests');
  await expect(page.getByText('1 test passed, 1 failed')).toBeVisible();
  const differences = page.getByRole('group', { name: 'What differs in a small one is warm' });
  await expect(differences).toContainText('- expected "warm"');
  await expect(differences).toContainText('+ came "cold"');
});

test('snippets name this server and this workflow, in five languages', async ({ app, page, enter }) => {
  await enter('/workflows/leads/snippets');
  for (const language of ['curl', 'sh', 'JavaScript', 'Python', 'Go']) {
    await page.getByRole('button', { name: language, exact: true }).click();
    await expect(page.getByRole('region', { name: `Program in ${language}` })).toContainText(
      `${app.url}/api/v1/workflows/leads/runs`,
    );
  }
});

test('the cards count the rows of a run while it goes on, and agree with it at its end', async ({
  app,
  page,
  enter,
}) => {
  await writeFile(
    fileOf(app.dataDir),
    leads.replace('nodes:', 'onRowError: skip\nnodes:').replace('for: 1ms', 'for: "=row.employees"'),
  );
  await enter('/workflows/leads');
  const { card } = onScreen(page);
  await expect(card('pause')).toContainText('pause');
  const slow = Array.from({ length: 40 }, (_, n) => ({ name: 'b', employees: n * 40 }));
  const runId = await app.run('leads', [...slow, { employees: 1 }, { employees: 2 }]);
  await expect(page.getByRole('button', { name: 'Watch the run' })).toBeVisible();
  const seen: number[] = [];
  await expect
    .poll(
      async () => {
        const count = /(\d+) done/.exec((await card('pause').textContent()) ?? '')?.[1];
        if (count !== undefined) seen.push(Number(count));
        return seen.at(-1);
      },
      { intervals: [50], timeout: 20_000 },
    )
    .toBe(40);
  expect(new Set(seen).size).toBeGreaterThan(2);
  expect(seen).toEqual([...seen].sort((one, other) => one - other));
  await expect(page.getByRole('button', { name: 'Watch the run' })).toBeHidden();
  await expect(card('input')).toContainText('2 failed');
  const { nodes } = await app.handlers['run.nodes']({ runId });
  for (const { nodeId, done } of nodes) await expect(card(nodeId)).toContainText(`${done} done`);
});

test('test rows are a grid over the text of their file, and taken along to be run', async ({
  app,
  page,
  enter,
}) => {
  await enter('/workflows/leads/rows');
  await expect(page.getByText('No test rows yet.')).toBeVisible();
  const grid = page.getByRole('grid', { name: 'Rows' });
  const rowsOfGrid = grid.getByRole('row');
  // Without a file they stand in the input node.
  await grid.focus();
  await page.keyboard.type('Ada');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Workflow file' })).toContainText('- { name: Ada }');
  await page.keyboard.press('Control+z');
  await expect(page.getByText('No test rows yet.')).toBeVisible();
  const rows = join(app.dataDir, 'workflows', 'leads.rows.csv');
  await writeFile(rows, 'name,employees\n王小明 🦊,7\n');
  await writeFile(
    fileOf(app.dataDir),
    leads.replace('type: input', 'type: input\n    testRows: leads.rows.csv'),
  );
  await expect(grid).toContainText('王小明 🦊');
  await writeFile(rows, 'name,employees\r\n"سارة",1.20e1\r\n<img src=x onerror=alert(1)>,many\r\n');
  await expect(grid).toContainText('<img src=x onerror=alert(1)>');
  // A value that does not fit its field is marked.
  await expect(grid.getByRole('gridcell', { name: /^many/ })).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByRole('tabpanel')).toContainText('1 invalid value');
  expect(await barriers(page)).toEqual([]);

  // A cell is one change of the text, which one undo takes back; the other cells keep their bytes.
  await grid.focus();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('Sara');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toContainText('1 changed line');
  await page.keyboard.type('Ada');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toContainText('2 changed lines');
  await page.keyboard.press('Control+z');
  await expect(grid).toContainText('<img src=x onerror=alert(1)>');
  await expect(rowsOfGrid.nth(1)).toContainText('Sara');
  // Cells of a spreadsheet are rows below the last one.
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await paste(page, 'Alan\t3\nGrace\t40');
  // A save has the cell that is being typed.
  await page.keyboard.type('Alan M.');
  await page.keyboard.press('Control+s');
  await expect
    .poll(() => readFile(rows, 'utf8'))
    .toBe('name,employees\r\nSara,1.20e1\r\n<img src=x onerror=alert(1)>,many\r\nAlan M.,3\r\nGrace,40\r\n');

  await unlink(rows);
  await expect(page.getByRole('tabpanel').getByRole('alert')).toContainText('leads.rows.csv');
  await writeFile(rows, 'name,employees\nAda,36\nGrace,40\n');
  await page.getByRole('button', { name: 'Run with these rows…' }).click();
  await page.getByRole('button', { name: /^Run 2 rows/ }).click();
  await expect(page).toHaveURL(/\/runs\//);
  const [run] = await app.handlers['run.list']({ limit: 50 });
  expect([run?.workflowId, run?.rows]).toEqual(['leads', 2]);
});

test('an edit of the tests file alone shows by itself', async ({ app, page, enter }) => {
  await enter('/workflows/leads/tests');
  await expect(page.getByText('1 test passed, 1 failed')).toBeVisible();
  const file = join(app.dataDir, 'workflows', 'leads.tests.yaml');
  await writeFile(file, tests.replace('a large one is hot', 'a very large one is hot'));
  await expect(page.getByText('a very large one is hot', { exact: true })).toBeVisible();
  await writeFile(file, 'rowbench: 1\ntests: 5\n');
  await expect(page.getByText(/^Line 2: /)).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: 'Not run: fix the errors first.' })).toBeVisible();
  await unlink(file);
  await expect(page.getByText('No tests yet.')).toContainText('“Save as test…”');
});

test('the side bar leads to the newest runs of the workflows that ran last', async ({ app, page, enter }) => {
  await app.run('leads', [{ name: 'Ada', employees: 1 }]);
  await enter('/runs');
  await page
    .getByRole('navigation', { name: 'Places' })
    .getByRole('link', { name: 'Score leads 线索 🦊 Completed', exact: true })
    .click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Score leads');
  await expect(page).toHaveURL(/\/runs\/[-\w]+$/);
});

test('networks are granted and taken back on the page', async ({ app, page, enter }) => {
  await enter('/workflows/leads/access');
  const lan = page.getByRole('switch', { name: 'Local network' });
  await expect(lan).not.toBeChecked();
  await lan.click();
  await expect(lan).toBeChecked();
  const network = async () => (await app.handlers['workflow.show']({ workflowId: 'leads' })).network;
  await expect.poll(network).toContain('lan');
  await lan.click();
  await expect(lan).not.toBeChecked();
  await expect.poll(network).not.toContain('lan');
});

test('a file of 1 MB is shown and walked through', async ({ app, page, enter }) => {
  const filler = Array.from({ length: 14_000 }, (_, n) => `  # ${'comment '.repeat(7)}${n}\n`).join('');
  await writeFile(fileOf(app.dataDir), leads.replace('nodes:\n', `nodes:\n${filler}`));
  await enter('/workflows/leads');
  const screen = onScreen(page);
  await screen.card('result').click();
  await expect(screen.line('label: "=nodes.label"')).toHaveClass(/selected-line/);
});

test("nothing stands in anybody's way on the pages of workflows", async ({ page, enter }) => {
  for (const path of [
    '/workflows',
    '/workflows/leads?node=label',
    '/workflows/leads/rows',
    '/workflows/leads/tests',
    '/workflows/leads/snippets',
    '/workflows/leads/access',
  ]) {
    await enter(path);
    await expect(
      path === '/workflows'
        ? page.getByRole('link', { name: /^Score leads/ }).first()
        : onScreen(page).card('result'),
    ).toBeVisible();
    expect(await barriersInBothThemes(page)).toEqual([]);
  }
});

test('nothing stands in the way of mending a broken file', async ({ app, page, enter }) => {
  await writeFile(fileOf(app.dataDir), leads.replace('nodes.lead.title', 'nodes.leed.title'));
  await enter('/workflows/leads/problems');
  await expect(page.getByRole('list', { name: 'Issues' })).toBeVisible();
  expect(await barriers(page)).toEqual([]);
});

test('an imported workflow is looked into, brought, trusted and run', async ({ app, page, enter }) => {
  const folder = await mkdtemp(join(tmpdir(), 'rowbench-ui-import-'));
  await writeFile(join(folder, 'calls.workflow.yaml'), calls);
  await enter('/workflows');
  await page.getByRole('button', { name: 'Import…' }).click();
  await page.getByLabel('File or folder on this machine').fill(folder);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('region', { name: 'What would be imported' })).toContainText(
    'https://api.example.com',
  );
  await page.getByRole('button', { name: 'Import, trust later' }).click();
  const trusting = page.getByRole('button', { name: 'Not trusted yet: look and trust…' });
  await expect(trusting).toHaveAttribute('title', /It calls https:\/\/api\.example\.com/);
  await expect(page.getByRole('button', { name: /^Run(…| \d+ rows?| test rows)$/ })).toBeDisabled();
  await trusting.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Trust', exact: true }).click();
  await expect(trusting).toBeHidden();
  await expect(page.getByRole('button', { name: /^Run(…| \d+ rows?| test rows)$/ })).toBeEnabled();
  expect((await app.handlers['workflow.show']({ workflowId: 'calls' })).trust).toBe('trusted');
  await onScreen(page).tab('Access').click();
  await page.getByRole('button', { name: 'Revoke trust' }).click();
  await expect(trusting).toBeVisible();
  await rm(folder, { recursive: true });
});
