// The page of a workflow: a graph that fits and can be read, panes that change their sizes, and tabs as full pages.
import type { Page } from '@playwright/test';
import { barriers, barriersInBothThemes, expect, startApp, test as base } from './in-app.ts';

const leads = `rowbench: 1
id: leads
name: Score leads
nodes:
  - { id: input, type: input, fields: { email: { type: string } } }
  - { id: email, type: assert, that: "row.email.includes('@')", message: no address }
  - { id: lead, type: set, after: [email], values: { host: "=row.email.split('@')[1]" } }
  - { id: label, type: set, values: { title: "=row.email" } }
  - { id: result, type: output, fields: { host: "=nodes.lead.host", title: "=nodes.label.title" } }
`;

const test = base.extend({
  app: async ({}, use) => {
    const app = await startApp({ workflows: { leads } });
    await use(app);
    await app.close();
  },
});

const graphOf = (page: Page) => page.getByRole('listbox', { name: /^Nodes/ });

/** Height of the smallest text of the graph on the screen, in px. */
const smallestText = (page: Page): Promise<number> =>
  graphOf(page).evaluate((graph) => {
    const scale = graph.querySelector('.all')?.getBoundingClientRect().width ?? 0;
    const width = graph.querySelector<HTMLElement>('.all')?.offsetWidth ?? 1;
    const texts = [...graph.querySelectorAll<HTMLElement>('strong, .type, .summary')].filter(
      (text) => text.offsetWidth > 0,
    );
    return Math.min(...texts.map((text) => (parseFloat(getComputedStyle(text).fontSize) * scale) / width));
  });

for (const [width, height] of [
  [1440, 900],
  [1024, 700],
] as const)
  test(`the whole graph is in sight and can be read, ${width}×${height}`, async ({ page, enter }) => {
    await page.setViewportSize({ width, height });
    await enter('/workflows/leads');
    const graph = graphOf(page);
    await expect(graph.getByRole('option')).toHaveCount(5);
    for (const id of ['input', 'email', 'lead', 'label', 'result'])
      await expect(page.locator(`[data-node="${id}"]`)).toBeInViewport({ ratio: 0.99 });
    await expect.poll(() => smallestText(page)).toBeGreaterThanOrEqual(10.99);
    await graph.focus();
    for (let n = 0; n < 3; n += 1) await page.keyboard.press('-');
    await expect.poll(() => smallestText(page)).toBeGreaterThanOrEqual(10.99);
    expect(await barriersInBothThemes(page)).toEqual([]);
  });

test('the panes change their sizes by keyboard and pointer, and keep them', async ({ page, enter }) => {
  await page.setViewportSize({ width: 1600, height: 900 });
  await enter('/workflows/leads');
  const line = page.getByRole('separator', { name: 'Width of the graph' });
  await expect(line).toHaveAttribute('aria-valuenow', '50');
  await line.focus();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await expect(line).toHaveAttribute('aria-valuenow', '44');
  const below = page.getByRole('separator', { name: 'Height of graph and file' });
  const before = await below.boundingBox();
  if (before === null) throw new Error('the line has no box');
  await page.mouse.move(before.x + 300, before.y + 3);
  await page.mouse.down();
  await page.mouse.move(before.x + 300, before.y - 150);
  await page.mouse.up();
  await expect.poll(async () => (await below.boundingBox())?.y).toBeLessThan(before.y - 130);
  const height = await below.getAttribute('aria-valuenow');
  await page.reload();
  await expect(line).toHaveAttribute('aria-valuenow', '44');
  await expect(below).toHaveAttribute('aria-valuenow', height ?? '');
  await line.dblclick();
  await expect(line).toHaveAttribute('aria-valuenow', '50');
});

test('a tab has the page to itself, and snippets have room at 1024×700', async ({ page, enter }) => {
  await page.setViewportSize({ width: 1024, height: 700 });
  await enter('/workflows/leads/snippets');
  const program = page.getByRole('region', { name: 'Program in curl' });
  await expect(program).toBeInViewport({ ratio: 0.9 });
  await page.getByRole('button', { name: 'Full page' }).press('Enter');
  await expect(page).toHaveURL(/\/workflows\/leads\/snippets\?view=full$/);
  await expect(graphOf(page)).toBeHidden();
  await page.getByRole('radio', { name: 'Python' }).check();
  const box = await page.getByRole('region', { name: 'Program in Python' }).boundingBox();
  expect(box?.y).toBeLessThan(350);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Full page' })).toHaveAttribute('aria-pressed', 'true');
  await page.getByRole('tab', { name: 'Access' }).click();
  await expect(graphOf(page)).toBeHidden();
  expect(await barriers(page)).toEqual([]);
  await page.getByRole('button', { name: 'Full page' }).click();
  await expect(graphOf(page)).toBeVisible();
});

test('F6 goes from pane to pane, and Enter on a card to its form', async ({ page, enter }) => {
  await enter('/workflows/leads');
  const graph = graphOf(page);
  const panel = page.getByRole('tabpanel');
  await expect(graph).toBeVisible();
  const order = async (text: ReturnType<Page['locator']>): Promise<void> => {
    await page.keyboard.press('F6');
    await expect(graph).toBeFocused();
    await page.keyboard.press('F6');
    await expect(text).toBeFocused();
    await page.keyboard.press('F6');
    await expect(panel).toBeFocused();
    await page.keyboard.press('Shift+F6');
    await expect(text).toBeFocused();
    await page.keyboard.press('F6');
  };
  const editor = page.getByRole('textbox', { name: /^Workflow file/ });
  await editor.waitFor();
  await order(editor);
  await page.keyboard.press('F6');
  await page.keyboard.press('e');
  await expect(editor).toBeFocused();
  await page.keyboard.press('F6');
  await expect(panel).toBeFocused();
  await page.keyboard.press('F6');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('tab', { name: 'Form' })).toHaveAttribute('aria-selected', 'true');
  await expect(panel).toBeFocused();
  await expect(panel.getByRole('textbox').first()).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(panel.locator(':focus')).toBeVisible();
  expect(await barriers(page)).toEqual([]);
});
