// The page of a workflow: a graph that fits and can be read, panes that change their sizes, and bars that never move.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import {
  barriers,
  barriersInBothThemes,
  callOf,
  expect,
  holdAnswer,
  linkTo,
  startApp,
  test as base,
} from './in-app.ts';

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

/** Height of the smallest name in the graph on the screen, in px. */
const smallestText = (page: Page): Promise<number> =>
  graphOf(page).evaluate((graph) => {
    const scale = graph.querySelector('.all')?.getBoundingClientRect().width ?? 0;
    const width = graph.querySelector<HTMLElement>('.all')?.offsetWidth ?? 1;
    const texts = [...graph.querySelectorAll<HTMLElement>('strong')].filter((text) => text.offsetWidth > 0);
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
    await page.keyboard.press('1');
    for (const id of ['input', 'email', 'lead', 'label', 'result'])
      await expect(page.locator(`[data-node="${id}"]`)).toBeInViewport({ ratio: 0.99 });
    await graph.focus();
    for (let n = 0; n < 3; n += 1) await page.keyboard.press('-');
    await expect.poll(() => smallestText(page)).toBeGreaterThanOrEqual(10.99);
    expect(await barriersInBothThemes(page)).toEqual([]);
  });

test('the panes change their sizes by keyboard and pointer, and keep them', async ({ page, enter }) => {
  await page.setViewportSize({ width: 1600, height: 900 });
  await enter('/workflows/leads/snippets');
  const line = page.getByRole('separator', { name: 'Width of the graph' });
  await expect(line).toHaveAttribute('aria-valuenow', '30');
  await line.focus();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await expect(line).toHaveAttribute('aria-valuenow', '24');
  const drawer = page.getByRole('separator', { name: 'Height of the drawer' });
  const before = await drawer.boundingBox();
  if (before === null) throw new Error('the line has no box');
  await page.mouse.move(before.x + 300, before.y + 3);
  await page.mouse.down();
  await page.mouse.move(before.x + 300, before.y - 150);
  await page.mouse.up();
  await expect.poll(async () => (await drawer.boundingBox())?.y).toBeLessThan(before.y - 130);
  const height = await drawer.getAttribute('aria-valuenow');
  await page.reload();
  await expect(line).toHaveAttribute('aria-valuenow', '24');
  await expect(drawer).toHaveAttribute('aria-valuenow', height ?? '');
  // Above the drawer, which lies over the rest of the line.
  await line.dblclick({ position: { x: 2, y: 20 } });
  await expect(line).toHaveAttribute('aria-valuenow', '30');
});

test('a tab opens over the panes and closes, and one pane at a time is shown on a narrow page', async ({
  page,
  enter,
}) => {
  await page.setViewportSize({ width: 1024, height: 700 });
  await enter('/workflows/leads/snippets');
  const panel = page.getByRole('tabpanel');
  await expect(panel).toBeInViewport({ ratio: 0.99 });
  await page.getByRole('button', { name: 'Python', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Program in Python' })).toBeVisible();
  expect(await barriers(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(panel).toBeHidden();
  await expect(page).toHaveURL(/\/workflows\/leads$/);
  await page.getByRole('tab', { name: 'Access' }).click();
  await expect(page).toHaveURL(/\/workflows\/leads\/access$/);
  await page.getByRole('button', { name: 'Close the drawer' }).click();

  const text = page.getByRole('textbox', { name: 'Workflow file' });
  const inspector = page.getByRole('complementary', { name: 'Inspector' });
  await expect(text).toBeVisible();
  await expect(inspector).toBeHidden();
  await page.locator('[data-node="lead"]').click();
  await expect(inspector).toContainText('Set values');
  await inspector.getByRole('button', { name: 'Close' }).click();
  await expect(inspector).toBeHidden();
  await expect(graphOf(page)).toBeFocused();
  await page.keyboard.press('1');
  await expect(text).toBeHidden();
  await page.keyboard.press('3');
  await expect(text).toBeVisible();
  await expect(graphOf(page)).toBeHidden();
  await page.setViewportSize({ width: 700, height: 800 });
  await page.keyboard.press('2');
  await expect(graphOf(page)).toBeVisible();
  await expect(text).toBeHidden();
  await page.getByRole('button', { name: 'Text', exact: true }).click();
  await expect(text).toBeVisible();
  await expect(graphOf(page)).toBeHidden();
  expect(await barriers(page)).toEqual([]);
});

test('F6 goes from pane to pane, and Enter on a card to the inspector', async ({ page, enter }) => {
  await enter('/workflows/leads/access');
  const graph = graphOf(page);
  const inspector = page.getByRole('complementary', { name: 'Inspector' });
  const editor = page.getByRole('textbox', { name: /^Workflow file/ });
  await editor.waitFor();
  await expect(inspector).toBeVisible();
  for (const pane of [graph, editor, inspector, page.getByRole('tabpanel'), graph]) {
    await page.keyboard.press('F6');
    await expect(pane).toBeFocused();
  }
  await page.keyboard.press('F6');
  await page.keyboard.press('Shift+F6');
  await expect(graph).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect(inspector).toBeFocused();
  await expect(inspector.getByRole('textbox').first()).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(inspector.locator(':focus')).toBeVisible();
  await graph.press('Shift+Enter');
  await expect(inspector.getByRole('button', { name: 'Wide' })).toHaveAttribute('aria-pressed', 'true');
  await graph.press('ArrowRight');
  const leftOf = async (name: string): Promise<number> =>
    (await inspector.getByRole('region', { name, exact: true }).boundingBox())?.x ?? NaN;
  await expect.poll(async () => (await leftOf('Form')) - (await leftOf('Reads'))).toBeGreaterThan(150);
  await expect.poll(async () => (await leftOf('Gives')) - (await leftOf('Form'))).toBeGreaterThan(150);
  expect(await barriers(page)).toEqual([]);
});

const calling = `rowbench: 1
id: calling
name: Calls a service
nodes:
  - { id: input, type: input, testRows: [{ a: 1 }] }
  - id: call
    type: http
    request: { url: "https://api.example.com/v1" }
    auth: { header: X-Key, secret: SOME_KEY }
  - { id: result, type: output, fields: { ok: "=nodes.call.ok" } }
`;

test('the draft, an error, a missing secret, a save and a change outside move no bar, pane or tab', async ({
  page,
}) => {
  const app = await startApp({ workflows: { calling } });
  try {
    await page.setViewportSize({ width: 1280, height: 720 });
    const answer = await holdAnswer(page, callOf('author.open'));
    await page.goto(await linkTo(app, '/workflows/calling'));
    const text = page.getByRole('textbox', { name: 'Workflow file' });
    const main = page.getByRole('main');
    await answer.isBlocked;
    const boxes = () =>
      page.evaluate(() => {
        const parts = ['.editor > .bar', '.editor > .line', '.panes > .pane', '.drawer'].flatMap((each) => [
          ...document.querySelectorAll(each),
        ]);
        const view = document.getElementById('view');
        return [
          ...parts.map((part) => {
            const { x, y, width, height } = part.getBoundingClientRect();
            return [part.className.split(' ')[0], x, y, width, height].join(' ');
          }),
          `scrolls ${(view?.scrollHeight ?? 0) - (view?.clientHeight ?? 0)} ${document.documentElement.scrollHeight - innerHeight}`,
        ];
      });
    const before = await boxes();
    expect(before).toHaveLength(7);
    expect(before.at(-1)).toBe('scrolls 0 0');
    expect(before.filter((each) => / (44|36)$/.test(each))).toHaveLength(3);
    const same = async (): Promise<void> => expect(await boxes()).toEqual(before);
    answer.letGo();
    await text.waitFor();
    await expect(page.getByRole('complementary', { name: 'Inspector' })).toBeVisible();
    await same();

    await page.keyboard.press('e');
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('[');
    await expect(main.getByRole('button', { name: /^\d+ errors?$/ })).toBeVisible();
    await same();
    await page.keyboard.press('Backspace');
    await expect(main.getByRole('button', { name: 'Valid' })).toBeVisible();
    await page.keyboard.type('# Mine.\n');
    await expect(main).toContainText('1 changed line');
    await expect(main).toContainText('stored');
    await same();

    const missing = main.getByRole('button', { name: /before it can run$/ });
    await missing.click();
    await same();
    await page
      .getByRole('dialog', { name: 'Before it can run' })
      .getByRole('button', { name: 'Add SOME_KEY…' })
      .press('Enter');
    await page.keyboard.type('a-long-value');
    await page.keyboard.press('Enter');
    await expect(missing).toBeHidden();
    await same();
    const file = join(app.dataDir, 'workflows', 'calling.workflow.yaml');
    await writeFile(file, `${calling}# Theirs.\n`);
    await expect(main.getByRole('button', { name: 'Changed by another program: compare…' })).toBeVisible();
    await same();
    await page.getByRole('tab', { name: 'Access' }).click();
    await same();
    await main.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).press('Enter');
    await expect(main).toContainText('No changes');
    await same();
    expect(await barriersInBothThemes(page)).toEqual([]);

    // 1440x900 at a zoom of 200 %.
    await page.setViewportSize({ width: 720, height: 450 });
    await page.getByRole('button', { name: 'Close the drawer' }).click();
    const zoomed = await boxes();
    expect(zoomed.at(-1)).toBe('scrolls 0 0');
    await text.focus();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('[');
    await expect(main.getByRole('button', { name: /^\d+ errors?$/ })).toBeVisible();
    expect(await boxes()).toEqual(zoomed);
    await page.keyboard.press('Backspace');
    await expect(main.getByRole('button', { name: 'Valid' })).toBeVisible();
    expect(await boxes()).toEqual(zoomed);
  } finally {
    await app.close();
  }
});
