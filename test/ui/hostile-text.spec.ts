// Untrusted text on every screen: text from a row, a file, a key or a caller is shown exactly as text.
import type { Page } from '@playwright/test';
import { hostileTexts, selfStarting } from '../builders/hostile-texts.ts';
import { workflowPath, type TestApp } from '../builders/start-test-app.ts';
import { expect, linkTo, startApp, test } from './in-app.ts';

const isHacked = (page: Page): Promise<boolean> => page.evaluate(() => 'hacked' in globalThis);

test('the texts do harm where markup is made of them', async ({ page }) => {
  const harmless: string[] = [];
  for (const text of selfStarting) {
    await page.goto('about:blank');
    await page.evaluate((markup) => {
      document.body.innerHTML = markup;
    }, text);
    await expect
      .poll(() => isHacked(page), { timeout: 2_000 })
      .toBe(true)
      .catch(() => harmless.push(text));
  }
  expect(harmless).toEqual([]);
});

const quoted = (text: string): string => JSON.stringify(text);

/** One workflow each, named by it, whose node says it when it fails. */
const named = Object.fromEntries(
  hostileTexts.map((text, n) => [
    `w${n}`,
    `rowbench: 1
id: w${n}
name: ${quoted(text)}
nodes:
  - { id: input, type: input, fields: { text: { type: string, description: ${quoted(text)} } } }
  - { id: say, type: fail, message: "=row.text" }
  - { id: result, type: output, after: [say], fields: { text: "=row.text" } }
`,
  ]),
);

const carries = `rowbench: 1
id: carries
onRowError: skip
nodes:
  - { id: input, type: input }
  - id: work
    type: code
    code: |
      console.log(row.text, row);
      if (row.fails) throw new Error(row.text);
      return { [row.text]: row.text };
  - { id: result, type: output, fields: { text: "=row.text", work: "=nodes.work" } }
`;

/** Everything that others can bring, with each of the texts in it. Gives ids of runs to look at. */
async function bring(app: TestApp): Promise<{ carrying: string; again: string; failing: string }> {
  for (const text of hostileTexts)
    await app.handlers['key.create']({ name: text.slice(0, 100), workflows: null });
  const rows = hostileTexts.flatMap((text) => [
    { text, [text]: text, deep: { [text]: [text] } },
    { text, fails: true },
  ]);
  const carrying = await app.run('carries', rows);
  const again = await app.run(
    'carries',
    rows.map((row) => ({ ...row, text: `${row.text}!` })),
  );
  const failing = await Promise.all(hostileTexts.map((text, n) => app.run(`w${n}`, [{ text }])));
  for (const text of hostileTexts) {
    const callPath = workflowPath(encodeURIComponent(text));
    await app.call(callPath, {
      method: 'POST',
      body: quoted(text),
      headers: { 'user-agent': asHeader(text) },
    });
    await app.trigger('carries', quoted(text));
  }
  return { carrying, again, failing: failing[0] ?? '' };
}

/** The part of the text that a header can carry: printable ASCII. */
const asHeader = (text: string): string => text.replace(/[^ -~]/g, '');

/** Moves in what can be moved in, and opens what can be opened. */
async function poke(page: Page): Promise<void> {
  const grids = page.locator('main [role=grid]');
  for (let n = 0; n < (await grids.count()); n += 1) {
    await grids.nth(n).focus();
    for (const key of ['ArrowDown', 'ArrowRight', 'Enter', 'ArrowDown', 'End'])
      await page.keyboard.press(key);
  }
  await page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true;
  });
}

test('no text becomes script on any screen', async ({ page, problems }) => {
  test.setTimeout(240_000);
  const app = await startApp({ workflows: { ...named, carries } });
  try {
    const { carrying, again, failing } = await bring(app);
    for (const runId of [carrying, again])
      await expect
        .poll(async () => (await app.handlers['run.show']({ runId })).status, { timeout: 20_000 })
        .toBe('completed');
    const paths = [
      '/runs',
      ...['', '#show=nodes', '/timing', '/why'].map((tab) => `/runs/${carrying}${tab}`),
      `/runs/${failing}`,
      '/workflows',
      ...['w5', 'w30', 'carries'].flatMap((id) =>
        ['', '/tests', '/snippets', '/access'].map((tab) => `/workflows/${id}${tab}`),
      ),
      `/workflows/carries/run?from=${carrying}&rows=all`,
      '/log',
      '/find#q=a',
      ...['', '?tab=nodes', '?tab=workflow'].map((query) => `/compare/${carrying}/${again}${query}`),
      '/keys',
      ...['', '/network', '/secrets', '/folder', '/about'].map((section) => `/settings${section}`),
    ];
    await page.goto(await linkTo(app));
    for (const path of paths) {
      await page.evaluate((path) => {
        history.pushState(null, '', path);
        dispatchEvent(new PopStateEvent('popstate'));
      }, path);
      await expect(page.getByRole('heading', { level: 1 }), path).toBeVisible();
      await expect(page.getByRole('heading', { name: 'Page not found' }), path).toHaveCount(0);
      await poke(page);
      expect(await isHacked(page), path).toBe(false);
      await expect(page.locator('[onerror], [onload], [src=x], [href^="javascript:" i]'), path).toHaveCount(
        0,
      );
    }
    expect(problems).toEqual([]);
  } finally {
    await app.close();
  }
});

test('characters that cannot be seen are named where they stand, in names, addresses and files', async ({
  page,
}) => {
  const turned = 'user\u202Etxt.exe';
  const app = await startApp({
    workflows: {
      trojan: `rowbench: 1
id: trojan
name: Trojan
nodes:
  - { id: input, type: input, testRows: [{ text: 1 }] }
  # access \u2066 for admins\u200B only
  - { id: result, type: output, fields: { text: "=row.text" } }
`,
    },
  });
  try {
    await app.handlers['key.create']({ name: turned, workflows: null });
    await page.goto(await linkTo(app, '/keys'));
    await expect(page.getByRole('cell', { name: 'userU+202Etxt.exe' })).toBeVisible();
    await page.goto(await linkTo(app, '/workflows/trojan'));
    const comment = page.locator('.cm-line').filter({ hasText: 'for admins' });
    await expect(comment).toContainText('access U+2066 for adminsU+200B only');
    await app.call('/api/v1/workflows/trojan/runs//async/status?who=%E2%80%AE', { key: null });
    await page.goto(await linkTo(app, '/log'));
    await expect(page.getByRole('gridcell', { name: 'not checked' })).toBeVisible();
    await expect(page.getByText('An id is missing in the address')).toBeVisible();
    const text = await page.locator('body').evaluate((body) => body.textContent);
    expect(text).not.toMatch(/[\u202A-\u202E\u2066-\u2069\u200B]/);
  } finally {
    await app.close();
  }
});
