// The text editor alone, on the real server and under its policy: typing, selection, clipboard, undo, completions,
// issues, search, keyboard, contrast, size.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { paste } from './clipboard.ts';
import { test, typingCost } from './code-editor.ts';
import type { EditorTest } from './editor-page/main.ts';
import { barriers, barriersInBothThemes, expect } from './in-app.ts';

declare const editorTest: EditorTest;

const greet = `rowbench: 1
id: greet
nodes:
  - id: input # rows come in here
    type: input
  - { id: result, type: output, fields: { text: "={{ row.name }}", n: 12 } }
`;

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

/** Changes that the owner heard of. */
const reported = (page: Page) => page.evaluate(() => editorTest.updates);

async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

test('text is typed, selected, cut, pasted and indented, and each change is reported', async ({
  page,
  editorPage,
}) => {
  await editorPage.open({ initialText: greet });
  await editorPage.content.focus();
  await press(page, 'Control+Home', 'End');
  await page.keyboard.type('\nname: Greet 🦊');
  await expect(editorPage.lines.nth(1)).toHaveText('name: Greet 🦊');
  const typed = greet.replace('rowbench: 1\n', 'rowbench: 1\nname: Greet 🦊\n');
  expect(await editorPage.text()).toBe(typed);
  expect((await reported(page)).at(-1)).toMatchObject({ text: typed, cause: 'typing' });
  await press(page, 'Shift+Home', 'Control+x');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('name: Greet 🦊');
  await press(page, 'Control+v');
  expect(await editorPage.text()).toBe(typed);
  await press(page, 'Control+End');
  await page.keyboard.type('  - id: next');
  await press(page, 'Enter');
  await page.keyboard.type('fields:');
  await press(page, 'Enter');
  await page.keyboard.type('a: 1');
  expect(await editorPage.text()).toBe(`${typed}  - id: next\n    fields:\n      a: 1`);
  expect(await page.evaluate(() => editorTest.carets.at(-1))).toEqual({
    line: 10,
    offset: (await editorPage.text()).length,
  });
});

test('a thousand edits are undone to the first byte, with mixed line breaks and a byte order mark', async ({
  page,
  editorPage,
}) => {
  const initialText = `\uFEFF${greet.replaceAll('\n', '\r\n')}mixed: 1\nlast: 2`;
  await editorPage.open({ initialText });
  expect(await editorPage.text()).toBe(initialText);
  await editorPage.content.focus();
  await press(page, 'Control+End', 'Enter');
  await page.keyboard.type('a: 1');
  expect(await editorPage.text()).toBe(`${initialText}\r\na: 1`);
  await paste(page, 'b\nc');
  const undone = await page.evaluate(() => {
    const { editor } = editorTest;
    for (let n = 0; n < 1_000; n += 1) {
      const text = editor?.text() ?? '';
      const from = 1 + ((n * 37) % (text.length - 1));
      editor?.apply([{ from, to: Math.min(from + (n % 4), text.length), insert: `${n}\n` }], `Edit ${n}`);
    }
    let steps = 0;
    while (editor?.undo() === true) steps += 1;
    return steps;
  });
  expect(undone).toBeGreaterThan(1_000);
  expect(await editorPage.text()).toBe(initialText);
});

test('edits of the owner are one step of undo', async ({ page, editorPage }) => {
  await editorPage.open({ initialText: greet });
  await page.evaluate(() =>
    editorTest.editor?.apply(
      [
        { from: 16, to: 21, insert: 'hello' },
        { from: 0, to: 0, insert: '# first\n' },
      ],
      'Rename greet to hello',
    ),
  );
  const renamed = `# first\n${greet.replace('id: greet', 'id: hello')}`;
  expect(await editorPage.text()).toBe(renamed);
  await editorPage.content.focus();
  await press(page, 'Control+z');
  expect(await editorPage.text()).toBe(greet);
  const all = await reported(page);
  expect(all.map(({ cause, label, text }) => ({ cause, label, text }))).toEqual([
    { cause: 'apply', label: 'Rename greet to hello', text: renamed },
    { cause: 'undo', label: 'Rename greet to hello', text: greet },
  ]);
});

test('a newer file keeps the caret and the scroll position in their lines', async ({ page, editorPage }) => {
  const lines = Array.from({ length: 500 }, (_, n) => `key${n}: ${n}`);
  await editorPage.open({ initialText: lines.join('\n') });
  await page.evaluate((offset) => editorTest.editor?.select(offset), lines.slice(0, 300).join('\n').length);
  await editorPage.content.focus();
  await page.evaluate(() => editorTest.editor?.reveal(300));
  const line = page.getByText('key299: 299', { exact: true });
  await expect(line).toBeVisible();
  const top = async (): Promise<number> => Math.round((await line.boundingBox())?.y ?? NaN);
  const before = await top();
  const newer = ['# one', '# two', ...lines.slice(0, 400), '# three'].join('\r\n');
  await page.evaluate((text) => editorTest.editor?.replaceAll(text), newer);
  expect(await editorPage.text()).toBe(newer);
  await expect.poll(top).toBe(before);
  await page.keyboard.type('!');
  await expect(page.getByText('key299: 299!', { exact: true })).toBeVisible();
  await press(page, 'Control+z');
  expect(await editorPage.text()).toBe(newer);
});

test('completions are offered, keep the order of the owner, and an older request is aborted', async ({
  page,
  editorPage,
}) => {
  await editorPage.open({ initialText: greet });
  await editorPage.content.focus();
  await press(page, 'Control+End');
  await page.keyboard.type('t');
  const options = page.getByRole('listbox', { name: 'Completions' }).getByRole('option');
  await expect(options).toHaveText(['transformnode', 'typekey', 'trickU+202Ekey']);
  await expect(page.getByText('Makes a value of expressions')).toBeVisible();
  expect(await barriers(page)).toEqual([]);
  await page.keyboard.type('y');
  await expect(options).toHaveText(['typekey']);
  // Sooner, CodeMirror takes a key for one that was meant for the text.
  await expect(async () => {
    await press(page, 'Enter');
    await expect(options).toHaveCount(0, { timeout: 100 });
  }).toPass();
  expect(await editorPage.text()).toBe(`${greet}type: `);
  await press(page, 'Enter');
  const requested = await page.evaluate(() => editorTest.requests.length);
  await paste(page, 'slow');
  await press(page, 'Control+ ');
  const newer = (): Promise<boolean[]> =>
    page.evaluate((from) => editorTest.requests.slice(from).map(({ isAborted }) => isAborted), requested);
  await expect.poll(newer).toEqual([false]);
  await page.keyboard.type(' ');
  await expect.poll(async () => (await newer())[0]).toBe(true);
  await page.keyboard.type('t');
  await expect(options.first()).toBeVisible();
  await press(page, 'Escape');
  await expect(options).toHaveCount(0);
  await expect(editorPage.content).toBeFocused();
});

test('a long list of completions is in reach of the keyboard, and Tab still leaves', async ({
  page,
  editorPage,
}) => {
  await editorPage.open({ initialText: greet });
  await editorPage.content.focus();
  await press(page, 'Control+End');
  await paste(page, 'many');
  await press(page, 'Control+ ');
  const list = page.getByRole('listbox', { name: 'Completions' });
  await expect(list.getByRole('option')).toHaveCount(40);
  expect(await barriers(page)).toEqual([]);
  await press(page, 'PageDown');
  await expect(list.locator('[aria-selected]')).not.toHaveText('many0');
  expect(await barriers(page)).toEqual([]);
  await press(page, 'Tab');
  await expect(list).toBeHidden();
  await expect(page.getByRole('button', { name: 'After' })).toBeFocused();
  expect(await editorPage.text()).toBe(`${greet}many`);
});

test('issues are marked in text and margin, and the pointer shows their messages', async ({
  page,
  editorPage,
}) => {
  const from = greet.indexOf('input');
  await editorPage.open({
    initialText: greet,
    issues: [
      { from, to: from + 5, severity: 'error', message: 'No node reads "input\u202E"' },
      { from: 0, to: 8, severity: 'warning', message: 'Old version' },
      { from: greet.length, to: greet.length, severity: 'error', message: 'Something is missing' },
    ],
  });
  await expect(page.locator('.cm-lintRange-error')).toHaveText('input');
  await expect(page.locator('.cm-lint-marker-error')).toHaveCount(2);
  await expect(page.locator('.cm-lint-marker-warning')).toHaveCount(1);
  await page.locator('.cm-lintRange-error').hover();
  const tooltip = page.locator('.cm-tooltip-hover');
  await expect(tooltip).toHaveText('No node reads "inputU+202E"');
  expect(await barriers(page)).toEqual([]);
  await page.locator('.cm-lint-marker-warning').hover();
  await expect(page.locator('.cm-tooltip-lint')).toHaveText('Old version');
  await editorPage.content.focus();
  await press(page, 'Control+Home', 'Enter');
  await expect(page.locator('.cm-lintRange-error')).toHaveText('input');
});

test('values stand at line ends, beside the text, and move with edits', async ({ page, editorPage }) => {
  const values = [
    { line: 2, text: `"${'x'.repeat(300)}"` },
    { line: 5, text: 'no name\u202E', isError: true },
  ];
  await editorPage.open({ initialText: greet, lineValues: { values, isOld: false } });
  const shown = editorPage.content.locator('.line-value');
  await expect(shown).toHaveCount(2);
  expect((await shown.first().boundingBox())?.width).toBeLessThan(700);
  await expect(shown.nth(1)).toHaveAttribute('data-value', 'no nameU+202E');
  await expect(shown.nth(1)).toHaveAttribute('aria-hidden', 'true');
  await expect(editorPage.lines.nth(1)).toHaveText('id: greet');
  expect(await barriers(page)).toEqual([]);
  await editorPage.content.focus();
  await press(page, 'Control+Home', 'Enter', 'ArrowDown', 'End');
  await page.keyboard.type('!');
  expect(await editorPage.text()).toBe(`\n${greet.replace('greet', 'greet!')}`);
  await expect(editorPage.lines.nth(2).locator('.line-value')).toBeVisible();
});

test('the pointer shows what the owner says of the text', async ({ page, editorPage }) => {
  await editorPage.open({ initialText: greet });
  await page.getByText('rowbench', { exact: true }).hover({ position: { x: 4, y: 8 } });
  await expect(page.locator('.cm-tooltip-hover')).toHaveText('The id of the workflow"greet"');
});

test('text is found and replaced', async ({ page, editorPage }) => {
  await editorPage.open({ initialText: greet });
  await editorPage.content.focus();
  await press(page, 'Control+f');
  const find = page.getByRole('textbox', { name: 'Find' });
  await expect(find).toBeFocused();
  await page.keyboard.type('input');
  await press(page, 'Enter');
  await expect(page.locator('.cm-searchMatch')).toHaveCount(2);
  await expect(page.locator('.cm-panels-bottom .cm-search')).toHaveCSS('height', /^[34]\dpx$/);
  expect(await barriers(page)).toEqual([]);
  await page.getByRole('textbox', { name: 'Replace with' }).fill('rows');
  await page.getByRole('button', { name: 'Replace all' }).click();
  expect(await editorPage.text()).toBe(greet.replaceAll('input', 'rows'));
  await find.focus();
  await press(page, 'Escape');
  await expect(find).toBeHidden();
  await expect(editorPage.content).toBeFocused();
  await press(page, 'Control+z');
  expect(await editorPage.text()).toBe(greet);
});

test('Tab leaves the editor, Escape stays, and the keys of the owner go to it', async ({
  page,
  editorPage,
}) => {
  await editorPage.open({ initialText: greet });
  await page.getByRole('button', { name: 'Before' }).focus();
  await press(page, 'Tab');
  await expect(editorPage.content).toBeFocused();
  const outline = page.locator('#editor > *').first();
  await expect(outline).toHaveCSS('outline-style', 'solid');
  await press(page, 'Control+s', 'F8', 'Escape', 'Tab');
  await expect(page.getByRole('button', { name: 'After' })).toBeFocused();
  await press(page, 'Shift+Tab');
  await expect(editorPage.content).toBeFocused();
  await press(page, 'Shift+Tab');
  await expect(page.getByRole('button', { name: 'Before' })).toBeFocused();
  expect(await page.evaluate(() => editorTest.pressed)).toEqual(['save', 'next problem']);
  expect(await editorPage.text()).toBe(greet);
});

test('a file that is only shown cannot be typed into, but still follows its owner', async ({
  page,
  editorPage,
}) => {
  await editorPage.open({ initialText: greet, isReadOnly: true, selected: { first: 2, last: 3 } });
  await expect(editorPage.content).toHaveAttribute('aria-readonly', 'true');
  await expect(page.locator('.cm-line.selected-line')).toHaveText(['id: greet', 'nodes:']);
  await editorPage.content.focus();
  await page.keyboard.type('x');
  await press(page, 'Enter', 'Backspace', 'Control+x');
  expect(await editorPage.text()).toBe(greet);
  await page.evaluate(() => editorTest.editor?.replaceAll('id: other\n'));
  expect(await editorPage.text()).toBe('id: other\n');
});

test('characters that cannot be seen are shown by name, and stay', async ({ page, editorPage }) => {
  const initialText = 'name: a\u202Eb\u200B\rc\n';
  await editorPage.open({ initialText });
  await expect(page.locator('.hidden-mark')).toHaveText(['U+202E', 'U+200B', 'U+000D']);
  await editorPage.content.focus();
  await press(page, 'Control+Home', 'End');
  await page.keyboard.type('!');
  expect(await editorPage.text()).toBe('name: a\u202Eb\u200B\rc!\n');
  await press(page, 'Home');
  await page.keyboard.type('# ');
  expect(await editorPage.text()).toBe('# name: a\u202Eb\u200B\rc!\n');
});

test('the editor has no barrier, with issues, a selection and matches', async ({ page, editorPage }) => {
  await editorPage.open({
    initialText: `${greet}code: |\n  const x = 12; // here\nwhen: true\nname: 'a\u202E'\n`,
    issues: [{ from: 12, to: 14, severity: 'warning', message: 'Old version' }],
    selected: { first: 4, last: 6 },
  });
  expect(await barriersInBothThemes(page)).toEqual([]);
  await editorPage.content.focus();
  await press(page, 'Control+f');
  // Colours of every kind are under a match.
  await page.keyboard.type('e');
  await press(page, 'Enter');
  await expect(page.locator('.cm-searchMatch-selected')).toBeVisible();
  expect(await barriersInBothThemes(page)).toEqual([]);
});

test('its chunk is at most 160 KB, as gzip packs it', async ({ editorFolder }) => {
  const assets = join(editorFolder, 'assets');
  const scripts = (await readdir(assets)).filter((name) => name.endsWith('.js'));
  const sizes = await Promise.all(
    scripts.map(async (name) => gzipSync(await readFile(join(assets, name))).length),
  );
  const kilobytes = sizes.reduce((sum, size) => sum + size, 0) / 1000;
  test.info().annotations.push({ type: 'code editor with Svelte, KB', description: kilobytes.toFixed(1) });
  expect(kilobytes).toBeGreaterThan(80);
  expect(kilobytes).toBeLessThan(160);
});

test(
  'a file of 1 MB and 20,000 lines is typed into without a wait',
  { tag: '@measured' },
  async ({ page, editorPage }) => {
    const node = (n: number): string =>
      `  - id: node${n}\n    type: code # the ${n}th of them\n    code: |\n      const value = nodes.node${n}.value ?? "nothing at all";\n      return { value, text: "{{ row.name }}", list: [1, 2, 3], when: ${n}, and: 'so on' };\n`;
    const initialText = `rowbench: 1\nid: large\nnodes:\n${Array.from({ length: 4_000 }, (_, n) => node(n)).join('')}`;
    await editorPage.open({ initialText });
    await editorPage.content.focus();
    const shown: Record<string, string> = {};
    for (const [where, line] of [
      ['top', 3],
      ['middle', 10_000],
      ['end', 20_003],
    ] as const) {
      await page.evaluate((number) => editorTest.editor?.reveal(number), line);
      const offset = initialText.split('\n').slice(0, line).join('\n').length;
      await page.evaluate((at) => editorTest.editor?.select(at), offset);
      const { p95, max } = await typingCost(page, 60);
      shown[where] = `p95 ${p95.toFixed(1)} ms, max ${max.toFixed(1)} ms`;
      expect(p95, where).toBeLessThan(50);
    }
    process.stdout.write(`      ${JSON.stringify({ bytes: initialText.length, ...shown })}\n`);
    expect((await editorPage.text()).length).toBeGreaterThan(initialText.length);
  },
);
