// The values of a node while it is edited: calls on request, mocks, assumed values, and refusals.
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { editLine, fileOf, onEditorScreen, test as base } from './editor-screen.ts';
import { barriers, barriersInBothThemes, expect, startApp } from './in-app.ts';

const leads = (url: string): string => `rowbench: 1
id: leads
nodes:
  - { id: input, type: input, testRows: [{ n: 1 }, { n: 2 }] }
  - id: own
    type: set
    values: { n: =row.n }
  - id: ask
    type: http
    request: { url: "${url}/{{ row.n }}" }
  - { id: size, type: set, values: { size: =nodes.ask.body.size } }
  - { id: result, type: output, fields: { size: =nodes.size.size, n: =nodes.own.n } }
`;

type Service = { readonly url: string; readonly paths: readonly (string | undefined)[] };

const test = base.extend<{ readonly service: Service }>({
  service: async ({}, use) => {
    const paths: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      paths.push(request.url);
      response.setHeader('content-type', 'application/json');
      response.end('{"size":10}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await use({ url: `http://127.0.0.1:${port}`, paths });
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  },
  app: async ({ service }, use) => {
    const app = await startApp({ workflows: { leads: leads(service.url) } });
    await app.handlers['workflow.grant']({ workflowId: 'leads', allow: ['loopback'] });
    await use(app);
    await app.close();
  },
});

test('typing makes no call, one click makes one, and the answer becomes a mock of the draft', async ({
  app,
  service,
  page,
  enter,
  problems,
}) => {
  await enter('/workflows/leads');
  const { card, lines } = onEditorScreen(page);
  const values = page.getByRole('region', { name: 'Values', exact: true });
  await editLine(page, 7);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.type(' + 1 + 1 + 1 + 1 + 1', { delay: 70 });
  await expect(card('own')).toContainText('{ n: 6 }');
  await card('ask').click();
  await expect(values).toContainText('Not called: GET');
  await expect(lines.nth(9).locator('.line-value')).toHaveAttribute('data-value', `"${service.url}/1"`);
  expect(service.paths).toHaveLength(0);
  expect(await barriers(page)).toEqual([]);

  const dialog = page.getByRole('dialog', { name: 'Mock of ask' });
  await values.getByRole('button', { name: 'Use a mock…' }).press('Enter');
  await expect(dialog.getByRole('textbox', { name: 'Value' })).toHaveValue(
    /^\{\s*"status": 200,\s*"body": \{\}\s*\}$/,
  );
  await dialog.press('Escape');
  await values.getByRole('button', { name: 'Call once' }).press('Enter');
  await expect(values).toContainText('Answered with status 200, 11 bytes.');
  await expect(card('size')).toContainText('{ size: 10 }');
  expect(service.paths).toEqual(['/1']);
  await values.getByRole('button', { name: 'Keep as mock…' }).press('Enter');
  await expect(dialog.getByRole('textbox', { name: 'Value' })).toHaveValue(/"size": 10/);
  await dialog.getByRole('textbox', { name: 'Value' }).press('Control+Enter');
  await expect(card('ask')).toContainText('mock');
  await expect(values).toContainText('from a mock');
  expect(service.paths).toHaveLength(1);
  expect(await readFile(fileOf(app.dataDir), 'utf8')).toBe(leads(service.url));
  expect(problems).toEqual([]);
});

test('a flaky answer is called for again or forgotten, with the attempts of its node', async ({
  app,
  page,
  enter,
  problems,
}) => {
  const statuses = [500, 503, 500, 200];
  const flaky = createServer((_, response) => {
    response.writeHead(statuses.shift() ?? 200, { 'content-type': 'application/json' }).end('{"size":10}');
  });
  await new Promise<void>((resolve) => flaky.listen(0, '127.0.0.1', resolve));
  const { port } = flaky.address() as AddressInfo;
  const text = leads(`http://127.0.0.1:${port}`).replace(
    '    request:',
    '    retry: { attempts: 2, delay: 1ms }\n    request:',
  );
  await writeFile(fileOf(app.dataDir), text);
  await enter('/workflows/leads');
  const { card } = onEditorScreen(page);
  const values = page.getByRole('region', { name: 'Values', exact: true });
  await editLine(page, 7);
  await card('ask').click();
  const notCalled = page.getByRole('region', { name: 'Not called' });
  await expect(notCalled).toContainText(`Calls 127.0.0.1:${port} now, for this row, up to 2 attempts.`);
  await notCalled.getByRole('button', { name: 'Call once' }).press('Enter');
  await expect(values).toContainText('Answered with status 503, 11 bytes. 2 attempts: 500, 503.');
  await expect(values).toContainText('HTTP 503');
  expect(await barriers(page)).toEqual([]);
  await values.getByRole('button', { name: 'Call again, up to 2 attempts' }).press('Enter');
  await expect(values).toContainText('Answered with status 200, 11 bytes. 2 attempts: 500, 200.');
  await expect(card('size')).toContainText('{ size: 10 }');
  await values.getByRole('button', { name: 'Forget' }).press('Enter');
  await expect(notCalled).toBeVisible();
  await expect(values).not.toContainText('Answered with');
  expect(statuses).toEqual([]);
  expect(problems).toEqual([]);
  flaky.closeAllConnections();
  await new Promise((resolve) => flaky.close(resolve));
});

test('a call that lacks a secret, and then a grant of its network, offers them in place', async ({
  app,
  service,
  page,
  enter,
  problems,
}) => {
  await app.handlers['workflow.grant']({ workflowId: 'leads', deny: ['loopback'] });
  await enter('/workflows/leads');
  const { card } = onEditorScreen(page);
  const notCalled = page.getByRole('region', { name: 'Not called' });
  await editLine(page, 10);
  await page.keyboard.type('\nauth: { secret: CRM_TOKEN }');
  await card('ask').click();
  const callOnce = notCalled.getByRole('button', { name: 'Call once' });
  // It is known before the call is made.
  await expect(notCalled.getByRole('alert')).toHaveText('The secret CRM_TOKEN is not stored.');
  await expect(page.locator('body')).not.toContainText(/rowbench (?:secrets|test|grants|serve|open)/);
  const add = notCalled.getByRole('button', { name: 'Add CRM_TOKEN…' });
  await expect(add).toBeEnabled();
  await add.press('Enter');
  const adding = page.getByRole('dialog', { name: 'Add a secret' });
  await expect(adding.getByLabel('Sent only to')).toHaveValue(new URL(service.url).host);
  await page.keyboard.type('a-long-value');
  await page.keyboard.press('Enter');
  await expect(callOnce).toBeFocused();
  await callOnce.press('Enter');
  await expect(notCalled.getByRole('alert')).toHaveText(
    'leads is not allowed to call this network (this machine).',
  );
  await expect(page.locator('body')).not.toContainText(/rowbench (?:secrets|test|grants|serve|open)/);
  expect(await barriers(page)).toEqual([]);
  await notCalled.getByRole('button', { name: 'Allow…' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Allow calls to this machine?' });
  // The draft may call what its file does not.
  await expect(dialog).toContainText(`not only ${new URL(service.url).host}.`);
  await dialog.getByRole('button', { name: 'Allow', exact: true }).click();
  await expect(callOnce).toBeFocused();
  expect(service.paths).toEqual([]);
  await callOnce.press('Enter');
  await expect(card('size')).toContainText('{ size: 10 }');
  expect(service.paths).toEqual(['/1']);
  expect(problems).toEqual([]);
});

test('a name of a value is read at the caret', async ({ page, enter, problems }) => {
  await enter('/workflows/leads');
  const { card, lines, editor } = onEditorScreen(page);
  const values = page.getByRole('region', { name: 'Values', exact: true });
  await editLine(page, 7);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.type(', size: ');
  await page.keyboard.press('Escape');
  await card('input').click();
  await expect(values.getByRole('region', { name: 'Value of input' })).toHaveText(/n: 1/);
  // The button of a short name is wider than its name.
  const name = values.getByRole('button', { name: 'n', exact: true });
  const colonOffset = await name.evaluate((button) => {
    const [key, colon] = Array.from(button.children, (child) => child.getBoundingClientRect());
    return (colon?.left ?? Infinity) - (key?.right ?? 0);
  });
  expect(colonOffset).toBe(0);
  await values.getByRole('button', { name: 'n', exact: true }).press('Enter');
  await expect(lines.nth(6)).toHaveText('    values: { n: =row.n, size: =row.n }');
  await expect(editor).toBeFocused();
  await page.keyboard.type(' + ');
  await page.keyboard.press('Escape');
  await card('input').click();
  expect(await barriers(page)).toEqual([]);
  await values.getByRole('button', { name: 'n', exact: true }).click();
  await expect(lines.nth(6)).toHaveText('    values: { n: =row.n, size: =row.n + row.n }');
  await expect(card('own')).toContainText('{ n: 1, size: 2 }');
  await page.keyboard.press('Control+Home');
  await card('own').click();
  await values.getByRole('button', { name: 'size', exact: true }).click();
  await expect(page.getByText('Put the caret into a value')).toBeVisible();
  expect(problems).toEqual([]);
});

test('the answer of a click is kept in the cassette, which answers from then on', async ({
  app,
  service,
  page,
  enter,
}) => {
  await enter('/workflows/leads');
  const { card } = onEditorScreen(page);
  const values = page.getByRole('region', { name: 'Values', exact: true });
  await editLine(page, 7);
  await card('ask').click();
  await values.getByRole('button', { name: 'Call once' }).press('Enter');
  await expect(card('size')).toContainText('{ size: 10 }');
  await values.getByRole('button', { name: 'Keep in the cassette' }).press('Enter');
  await expect(page.getByText('The answer is in leads.cassette.json')).toBeVisible();
  await expect(card('ask')).toContainText('recorded');
  await expect(page.getByLabel('File to edit')).toContainText('leads.cassette.json');
  const cassette = await readFile(join(app.dataDir, 'workflows', 'leads.cassette.json'), 'utf8');
  expect(cassette).toContain(`${service.url}/1`);
  expect(service.paths).toEqual(['/1']);
});

test('an assumed value reaches the nodes behind it, and is never written', async ({
  page,
  enter,
  service,
}) => {
  await enter('/workflows/leads');
  const { card, file } = onEditorScreen(page);
  const values = page.getByRole('region', { name: 'Values', exact: true });
  await editLine(page, 9);
  await card('ask').click();
  await values.getByRole('button', { name: 'Assume a value…' }).click();
  const dialog = page.getByRole('dialog', { name: 'As if ask gave' });
  await dialog.getByRole('textbox', { name: 'Value' }).fill('{ "body": ');
  await dialog.getByRole('button', { name: 'Assume' }).click();
  await expect(dialog.getByRole('alert')).toContainText('This is not JSON');
  await dialog.getByRole('textbox', { name: 'Value' }).fill('{ "body": { "size": 77 } }');
  await dialog.getByRole('button', { name: 'Assume' }).click();
  await expect(card('size')).toContainText('{ size: 77 }');
  await expect(card('ask')).toContainText('as if');
  await expect(file).toContainText('No changes');
  await values.getByRole('button', { name: 'Stop assuming' }).click();
  await expect(card('ask')).toContainText('Not called');
  await expect(card('size')).toContainText('Not reached');
  expect(service.paths).toHaveLength(0);
});

const items = `rowbench: 1
id: leads
nodes:
  - { id: input, type: input, testRows: [{ tech: [{ name: loom, year: 1804 }, { name: "1842" }] }, { tech: [] }] }
  - id: parts
    type: set
    each: row.tech
    values: { title: "{{ index }} {{ item.name }}" }
  - id: result
    type: output
    fields:
      parts: =nodes.parts
`;

test('values are fields or JSON, of all items of a node or of one after the other', async ({
  app,
  page,
  enter,
  problems,
}) => {
  await writeFile(fileOf(app.dataDir), items);
  await enter('/workflows/leads');
  const { card, lines, values } = onEditorScreen(page);
  await editLine(page, 3);
  // Without a node, they are the output of the row.
  await expect(values.getByRole('heading', { name: 'Output of row 1' })).toBeVisible();
  await expect(values.getByRole('table', { name: 'parts' }).getByRole('row')).toHaveText([
    /title/,
    /1\s*0 loom/,
    /2\s*1 1842/,
  ]);
  await card('parts').click();
  const reads = values.getByRole('region', { name: 'Reads' });
  const gives = values.getByRole('region', { name: 'Gives' });
  const table = reads.getByRole('table', { name: 'tech' });
  await expect(table.getByRole('columnheader')).toHaveText(['Item', 'name', 'year']);
  await expect(table.getByRole('row').last()).toHaveText(/2\s*"1842"/);
  expect(await barriersInBothThemes(page)).toEqual([]);
  await values.getByRole('button', { name: 'JSON', exact: true }).press('Enter');
  await expect(gives).toContainText('title: "0 loom"');

  // One item, by buttons or by its number, with the expressions for it.
  const title = lines.nth(7).locator('.line-value');
  await expect(title).toHaveAttribute('data-value', '"0 loom"');
  await values.getByRole('button', { name: 'Previous item' }).press('Enter');
  const item = values.getByRole('spinbutton', { name: 'Item' });
  await expect(item).toHaveValue('2');
  await expect(reads.getByRole('region', { name: 'Item 2 of parts in row 1' })).toHaveText(/name: "1842"/);
  await expect(gives.getByRole('region')).toHaveText(/^\s*\{\s*title: "1 1842"\s*\}\s*$/);
  await expect(title).toHaveAttribute('data-value', '"1 1842"');
  await values.getByRole('button', { name: 'Next item' }).press('Enter');
  await expect(item).toHaveValue('');
  await item.fill('9');
  await item.press('Enter');
  await expect(item).toHaveValue('2');
  await expect(gives).toContainText('1 1842');
  const name = reads.getByRole('button', { name: 'name', exact: true });
  await name.dragTo(lines.filter({ hasText: 'parts: =nodes.parts' }));
  await expect(page.getByText('An item of "parts" can only be read in "parts"')).toBeVisible();

  // A name of an item is read as a member of it; arrow keys lead through a table.
  await values.getByRole('button', { name: 'Fields', exact: true }).press('Enter');
  await page.reload();
  await expect(values.getByRole('button', { name: 'Fields', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await card('parts').click();
  await table.getByRole('button', { name: 'loom' }).focus();
  await page.keyboard.press('ArrowDown');
  await expect(table.getByRole('button', { name: '"1842"' })).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(table.getByRole('cell').last()).toBeFocused();
  await page.keyboard.press(']');
  await expect(values.getByRole('heading', { name: 'parts in row 2' })).toBeVisible();
  await expect(item).toHaveCount(0);
  expect(problems).toEqual([]);
});

test('an import that is not trusted is not previewed', async ({ app, page, enter, service }) => {
  const folder = await mkdtemp(join(app.dataDir, 'import-'));
  await writeFile(join(folder, 'guest.workflow.yaml'), leads(service.url).replace('id: leads', 'id: guest'));
  await app.handlers['workflow.import']({ path: folder, replaces: false });
  await enter('/workflows/guest');
  await editLine(page, 7);
  const bar = page.getByRole('region', { name: 'Preview' });
  await expect(bar.getByRole('status')).toContainText('Not previewed: ');
  await expect(bar.getByRole('status')).toContainText('trust');
  expect(service.paths).toHaveLength(0);
});

test(
  'a node that never ends is shown as too slow, and typing goes on',
  {
    tag: '@measured',
  },
  async ({ page, enter }) => {
    await enter('/workflows/leads');
    const { card, editor } = onEditorScreen(page);
    await editLine(page, 7);
    await expect(card('own')).toContainText('{ n: 1 }');
    await page.keyboard.press('Home');
    await page.keyboard.press('Shift+End');
    await page.evaluate(() => {
      const shown = new Promise<number>((resolve) => {
        let start = 0;
        addEventListener('input', () => (start = performance.now()), { capture: true });
        const observer = new MutationObserver(() => {
          const text = document.querySelector('[data-node="own"]')?.textContent ?? '';
          if (!/time limit of \S+ ?\S* exceeded|stopped after/.test(text)) return;
          observer.disconnect();
          resolve(performance.now() - start);
        });
        observer.observe(document.body, { childList: true, subtree: true, characterData: true });
      });
      Object.assign(globalThis, { shown });
    });
    await page.keyboard.insertText('values: { n: "=(() => { while (true); })()" }');
    const ms = await page.evaluate(() => (globalThis as unknown as { shown: Promise<number> }).shown);
    test.info().annotations.push({ type: 'key to "too slow", ms', description: `${Math.round(ms)}` });
    // The target is 600 ms; a busy machine takes more.
    expect(ms).toBeLessThan(3_000);
    await page.keyboard.press('End');
    await page.keyboard.type(' # still here');
    await expect(editor).toContainText('# still here');
  },
);
