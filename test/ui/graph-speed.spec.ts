// The graph of a large workflow follows an edit at once.
import { writeFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { fileOf, leads, onEditorScreen, test } from './editor-screen.ts';
import { expect } from './in-app.ts';

const edits = 6;

test('the graph of 100 nodes follows edits', async ({ app, page, enter }) => {
  const nodes = Array.from(
    { length: 98 },
    (_, at) =>
      `  - id: n${at}\n    type: set\n    values: { x: "=nodes.${at < 10 ? 'input' : `n${at - 10}`}" }\n`,
  ).join('');
  await writeFile(fileOf(app.dataDir), leads.replace('  - id: lead\n', `${nodes}  - id: lead\n`));
  const checked = new Set<unknown>();
  const fixedUnchecked: string[] = [];
  const textOf = (body: unknown): unknown => (body as { readonly text?: unknown }).text;
  page.on('response', (response) => {
    if (response.url().endsWith('/author.check')) checked.add(textOf(response.request().postDataJSON()));
  });
  page.on('request', (request) => {
    if (!request.url().endsWith('/author.fixes')) return;
    if (!checked.has(textOf(request.postDataJSON()))) fixedUnchecked.push(request.url());
  });
  await enter('/workflows/leads?node=n0');
  const screen = onEditorScreen(page);
  await expect(screen.card('n97')).toBeAttached();
  await screen.edit.click();
  await expect(screen.editor).toBeFocused();
  await expect(screen.card('n0')).toHaveAttribute('aria-selected', 'true');
  const times: Times[] = [];
  for (let at = 0; at < edits; at += 1) times.push(await duplicate(page, `n${98 + at}`));
  const median = (key: keyof Times): number =>
    times.map((each) => each[key]).sort((one, other) => one - other)[Math.floor(edits / 2)] ?? 0;
  for (const key of ['text', 'card'] as const)
    test.info().annotations.push({ type: `key to ${key}, median ms`, description: `${median(key)}` });
  // The target is 100 ms from the changed text on; the edit itself and a busy machine take more.
  expect(median('card')).toBeLessThan(1_500);
  // Looking for fixes takes longer than a check, which would wait for it.
  expect(fixedUnchecked).toEqual([]);
});

/** From the key on, in ms. */
type Times = { readonly text: number; readonly card: number };

/** Duplicates the selected node by its key. */
const duplicate = (page: Page, newId: string): Promise<Times> =>
  page.evaluate(async (id) => {
    const graph = document.querySelector<HTMLElement>('[role=listbox][aria-label^=Nodes]');
    graph?.focus();
    const start = performance.now();
    const seen = new Promise<number>((resolve) => {
      const observer = new MutationObserver(() => {
        if (document.querySelector(`[data-node="${id}"]`) === null) return;
        observer.disconnect();
        resolve(performance.now());
      });
      observer.observe(document.body, { childList: true, subtree: true });
    });
    graph?.dispatchEvent(new KeyboardEvent('keydown', { key: 'd', bubbles: true }));
    const card = await seen;
    const edit = performance
      .getEntriesByType('resource')
      .findLast(({ name }) => name.endsWith('/author.edit'));
    const text = (edit as PerformanceResourceTiming | undefined)?.responseEnd ?? start;
    return { text: Math.round(text - start), card: Math.round(card - start) };
  }, newId);
