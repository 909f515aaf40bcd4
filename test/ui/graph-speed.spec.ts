// The graph of a large workflow follows an edit at once.
import { writeFile } from 'node:fs/promises';
import type { Page, Request } from '@playwright/test';
import type { TestApp } from '../builders/start-test-app.ts';
import { fileOf, leads, onEditorScreen, test } from './editor-screen.ts';
import { expect, isQuestion } from './in-app.ts';

const edits = 6;

type EditorFixtures = {
  readonly app: TestApp;
  readonly page: Page;
  readonly enter: (path?: string) => Promise<void>;
};

/** Writes the workflow with this many nodes more, each reads one of the ten before it, and goes to its text. */
async function editLarge({ app, page, enter }: EditorFixtures, count: number): Promise<void> {
  const nodes = Array.from(
    { length: count },
    (_, at) =>
      `  - id: n${at}\n    type: set\n    values: { x: "=nodes.${at < 10 ? 'input' : `n${at - 10}`}" }\n`,
  ).join('');
  await writeFile(fileOf(app.dataDir), leads.replace('  - id: lead\n', `${nodes}  - id: lead\n`));
  await enter('/workflows/leads?node=n0');
  const screen = onEditorScreen(page);
  await expect(screen.card(`n${count - 1}`)).toBeAttached();
  await screen.editor.waitFor();
  await page.keyboard.press('e');
  await expect(screen.card('n0')).toHaveAttribute('aria-selected', 'true');
}

const medianOf = (times: readonly number[]): number =>
  times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0;

test('the graph of 100 nodes follows edits', { tag: '@measured' }, async ({ app, page, enter }) => {
  const checked = new Set<unknown>();
  const fixedUnchecked: string[] = [];
  const versionOf = (request: Request): unknown =>
    (request.postDataJSON() as { readonly version?: unknown }).version;
  page.on('response', (response) => {
    if (isQuestion('check')(response.request())) checked.add(versionOf(response.request()));
  });
  page.on('request', (request) => {
    if (!isQuestion('fixes')(request)) return;
    if (!checked.has(versionOf(request))) fixedUnchecked.push(request.url());
  });
  await editLarge({ app, page, enter }, 98);
  const times: Times[] = [];
  for (let at = 0; at < edits; at += 1) times.push(await duplicate(page, `n${98 + at}`));
  const median = (key: keyof Times): number => medianOf(times.map((each) => each[key]));
  for (const key of ['text', 'card'] as const)
    test.info().annotations.push({ type: `key to ${key}, median ms`, description: `${median(key)}` });
  // The target is 100 ms from the changed text on; the edit itself and a busy machine take more.
  expect(median('card')).toBeLessThan(1_500);
  // Looking for fixes takes longer than a check, which would wait for it.
  expect(fixedUnchecked).toEqual([]);
});

test('a workflow of 300 nodes follows keys and edits', { tag: '@measured' }, async ({ app, page, enter }) => {
  await editLarge({ app, page, enter }, 298);
  const { card } = await duplicate(page, 'n298');
  test.info().annotations.push({ type: 'key to card, ms', description: `${card}` });
  // The target is 200 ms from the changed text on.
  expect(card).toBeLessThan(5_000);
  const { editor } = onEditorScreen(page);
  await editor.focus();
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('End');
  await page.evaluate(() => {
    const times: number[] = [];
    Object.assign(globalThis, { keyTimes: times });
    const measure = (): void => {
      const pressed = performance.now();
      requestAnimationFrame(() => setTimeout(() => times.push(performance.now() - pressed)));
    };
    addEventListener('keydown', measure, { capture: true });
  });
  await page.keyboard.type(' # A comment that is typed', { delay: 30 });
  await expect(editor).toContainText('# A comment that is typed');
  const times = await page.evaluate(() => (globalThis as unknown as { keyTimes: number[] }).keyTimes);
  test.info().annotations.push({
    type: 'key to painted text, median and maximum ms',
    description: `${Math.round(medianOf(times))}, ${Math.round(Math.max(...times))}`,
  });
  // The target is 50 ms for 95 of 100 keys; a busy machine takes more.
  expect(medianOf(times)).toBeLessThan(500);
});

test('a workflow of 60 nodes opens', { tag: '@measured' }, async ({ app, page, enter }) => {
  const nodes = Array.from(
    { length: 57 },
    (_, at) => `  - { id: n${at}, type: set, values: { x: =row.email } }\n`,
  );
  await writeFile(fileOf(app.dataDir), leads.replace('  - id: lead\n', `${nodes.join('')}  - id: lead\n`));
  await page.addInitScript(() => {
    const opened: Record<string, number> = {};
    Object.assign(globalThis, { opened });
    const look = (): void => {
      const isThere: Record<string, boolean> = {
        nodes: document.querySelectorAll('[data-node]').length === 60,
        text:
          document.querySelector('[data-pane][aria-label=File]')?.textContent?.includes('rowbench: 1') ===
          true,
      };
      for (const [part, is] of Object.entries(isThere))
        if (is) opened[part] ??= Math.round(performance.now());
      if (Object.keys(opened).length < 2) requestAnimationFrame(look);
    };
    look();
  });
  await enter('/workflows/leads');
  const opened: Record<string, number>[] = [];
  for (let at = 0; at < 3; at += 1) {
    const times = await page.waitForFunction(() => {
      const all = (globalThis as unknown as { opened: Record<string, number> }).opened;
      return Object.keys(all).length === 2 ? all : undefined;
    });
    opened.push((await times.jsonValue()) ?? {});
    await page.reload();
  }
  for (const part of ['nodes', 'text'])
    test.info().annotations.push({
      type: `start to ${part}, median ms`,
      description: `${medianOf(opened.map((times) => times[part] ?? NaN))}`,
    });
  // The aim is 1 s on an idle machine.
  expect(medianOf(opened.map(({ nodes: shown = NaN }) => shown))).toBeLessThan(5_000);
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
      .find(({ name, startTime }) => startTime >= start && name.endsWith('/author.ask'));
    const text = (edit as PerformanceResourceTiming | undefined)?.responseEnd ?? start;
    return { text: Math.round(text - start), card: Math.round(card - start) };
  }, newId);
