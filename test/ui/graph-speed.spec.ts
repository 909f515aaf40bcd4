// The graph of a large workflow follows an edit at once.
import { writeFile } from 'node:fs/promises';
import { fileOf, leads, onEditorScreen, test } from './editor-screen.ts';
import { expect } from './in-app.ts';

test('the graph of 100 nodes follows an edit', async ({ app, page, enter }) => {
  const nodes = Array.from(
    { length: 98 },
    (_, at) =>
      `  - id: n${at}\n    type: set\n    values: { x: "=nodes.${at < 10 ? 'input' : `n${at - 10}`}" }\n`,
  ).join('');
  await writeFile(fileOf(app.dataDir), leads.replace('  - id: lead\n', `${nodes}  - id: lead\n`));
  await enter('/workflows/leads?node=n0');
  const screen = onEditorScreen(page);
  await expect(screen.card('n97')).toBeAttached();
  await screen.edit.click();
  await expect(screen.editor).toBeFocused();
  await expect(screen.card('n0')).toHaveAttribute('aria-selected', 'true');
  const ms = await page.evaluate(async () => {
    const graph = document.querySelector<HTMLElement>('[role=listbox][aria-label^=Nodes]');
    graph?.focus();
    const start = performance.now();
    const seen = new Promise<number>((resolve) => {
      const observer = new MutationObserver(() => {
        if (document.querySelector('[data-node="n98"]') !== null) resolve(performance.now() - start);
      });
      observer.observe(document.body, { childList: true, subtree: true });
    });
    graph?.dispatchEvent(new KeyboardEvent('keydown', { key: 'd', bubbles: true }));
    return seen;
  });
  test.info().annotations.push({ type: 'ms', description: `${Math.round(ms)}` });
  // The target is 100 ms from the changed text on; the edit itself and a busy machine take more.
  expect(ms).toBeLessThan(3_000);
});
