// Requests and bytes that a key in the editor costs, with the form open: the text is at the server already.
import type { Page, Request } from '@playwright/test';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { editLine, fileOf, onEditorScreen, test } from './editor-screen.ts';
import { expect } from './in-app.ts';

/** A workflow of about so many characters, with files beside it that the editor opens too. */
const workflowOf = (characters: number): string => {
  const comment = `  # ${'A line that says why the node is there. '.repeat(2)}\n`;
  const head = `rowbench: 1
id: leads
name: Score leads
nodes:
  - { id: input, type: input, testRows: [{ email: ada@example.com }] }
  - id: lead
    type: set
    values: { host: "=row.email" }
`;
  const foot = '  - { id: result, type: output, fields: { host: "=nodes.lead.host" } }\n';
  return head + comment.repeat(Math.ceil((characters - head.length - foot.length) / comment.length)) + foot;
};
const tests = (name: string): string => `rowbench: 1
tests:
  - name: ${name}
    rows: [{ email: ada@example.com }]
    expect: { status: completed }
`;

/** Requests of the page after a key, but for the claim, which is renewed from time to time. */
async function requestsOf(page: Page, key: string) {
  const requests: { readonly name: string; readonly bytes: number }[] = [];
  const note = (request: Request): void => {
    const procedure = new URL(request.url()).pathname.split('/').at(-1) ?? '';
    const { questions = [] } = request.postDataJSON() as { readonly questions?: readonly { name: string }[] };
    const name = [procedure, ...questions.map((each) => each.name).sort()].join(' ');
    if (procedure !== 'author.claim') requests.push({ name, bytes: request.postDataBuffer()?.length ?? 0 });
  };
  page.on('request', note);
  await page.keyboard.press(key);
  // Longer than all pauses of the editor.
  await page.waitForTimeout(2_000);
  page.off('request', note);
  return {
    names: requests.map(({ name }) => name),
    bytes: requests.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

for (const { size, characters, maxBytes } of [
  { size: '3 KB', characters: 3_000, maxBytes: 2_048 },
  { size: '1 MB', characters: 999_000, maxBytes: 3_072 },
])
  test(`a key in a file of ${size}, with the form open, sends few requests and bytes`, async ({
    app,
    page,
    enter,
  }) => {
    await writeFile(fileOf(app.dataDir), workflowOf(characters));
    const pathOf = (name: string): string => join(app.dataDir, 'workflows', name);
    for (const name of ['leads.tests.yaml', 'leads.more.tests.yaml', 'leads.last.tests.yaml'])
      await writeFile(pathOf(name), tests(name));
    await writeFile(pathOf('leads.rows.json'), '[{ "email": "ada@example.com" }]\n');
    await enter('/workflows/leads');
    await editLine(page, 8);
    const { editor, file } = onEditorScreen(page);
    await expect(page.getByRole('textbox', { name: 'host', exact: true })).toHaveText('=row.email', {
      timeout: 30_000,
    });
    await editor.focus();
    await page.keyboard.type(' # Typed');
    await expect(file).toContainText('stored');
    await expect(page.getByRole('region', { name: 'Gives' })).toContainText('host');
    // The second key is as each one after it.
    await page.waitForTimeout(2_000);
    const { names, bytes } = await requestsOf(page, '!');
    test
      .info()
      .annotations.push({ type: `requests, ${size}`, description: `${names.join(', ')}: ${bytes} bytes` });
    expect(names.toSorted()).toEqual([
      'author.ask check complete form symbol',
      'author.ask preview',
      'author.change',
    ]);
    expect(bytes).toBeLessThanOrEqual(maxBytes);
    await expect(file).toContainText('stored');
  });
