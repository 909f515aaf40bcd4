// The graph shows when nodes run: conditions, loops, frames. A large workflow is read as an outline and at every zoom.
import { writeFile } from 'node:fs/promises';
import { fileOf, onEditorScreen, test } from './editor-screen.ts';
import { barriers, barriersInBothThemes, expect } from './in-app.ts';

const outreach = `rowbench: 1
id: leads
nodes:
  - id: input
    type: input
    testRows:
      - { company: hopper, employees: 20, tech: [js, go, c, sql] }
      - { company: lovelace, employees: 500, tech: [] }
  - id: tech
    type: set
    each: row.tech
    values: { name: =item }
  - id: size
    type: set
    values: { label: '=row.employees > 100 ? "large" : "small"' }
  - id: opener
    type: set
    when: nodes.size.label === 'large'
    values: { text: =row.company }
  - id: mail
    type: set
    when: nodes.size.label === 'large'
    values: { text: =nodes.opener.text }
  - id: result
    type: output
    fields: { text: "=nodes.mail?.text", tech: =nodes.tech }
`;

test('cards show conditions and loops; by keyboard, nodes with one condition change it in one step, and a new node reads the one before', async ({
  app,
  page,
  enter,
  problems,
}) => {
  await writeFile(fileOf(app.dataDir), outreach);
  await enter('/workflows/leads?node=opener');
  const { card, editor, form } = onEditorScreen(page);
  await editor.waitFor();
  await expect(card('opener')).toContainText('if size.label');
  await expect(card('opener')).toContainText(/Skipped\s*size.label is "small"/);
  await expect(card('tech')).toContainText('each row.tech ×4');
  await expect(page.locator('[data-edge="size opener"] .edge')).toHaveCSS('stroke-dasharray', /^6(px)?, 4/);
  await expect(page.locator('[data-edge="opener mail"] .edge')).toHaveCSS('stroke-dasharray', 'none');
  const frame = page.locator('[data-frame]');
  await expect(frame).toHaveAttribute('data-frame', 'opener mail');

  const graph = page.getByRole('listbox', { name: 'Nodes, from the input to the outputs' });
  await frame.click({ position: { x: 4, y: 20 } });
  for (const id of ['opener', 'mail']) await expect(card(id)).toHaveAttribute('aria-selected', 'true');
  await expect(graph).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(card('opener')).toHaveAttribute('aria-selected', 'false');
  await page.keyboard.press('b');
  for (const id of ['opener', 'mail']) await expect(card(id)).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('w');
  await expect(page.getByRole('textbox', { name: 'Only if', exact: true })).toBeFocused();
  expect(await barriersInBothThemes(page)).toEqual([]);
  await page.keyboard.press('Control+a');
  await page.keyboard.type('row.employees > 10');
  await page.keyboard.press('Enter');
  await expect(card('opener')).toContainText('if row.employees > 10');
  await expect(card('mail')).toContainText('if row.employees > 10');
  await expect(graph).toBeFocused();
  await page.keyboard.press('Control+z');
  for (const id of ['opener', 'mail']) await expect(card(id)).toContainText('if size.label');

  await page.keyboard.press('/');
  await page.keyboard.type('employees > 100');
  await page.keyboard.press('Enter');
  await expect(card('size')).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('a');
  await page.keyboard.type('javascript');
  await expect(page.getByRole('option', { name: 'JavaScript', selected: true })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.locator('[data-edge="size code"] .edge')).toHaveClass(/after/);
  await expect(editor).toContainText('after: size');
  await expect(form.getByRole('textbox', { name: 'code' })).toBeFocused();
  await page.keyboard.press('F6');
  await expect(graph).toBeFocused();
  await page.keyboard.press('e');
  await expect(editor).toBeFocused();
  for (let line = 0; line < 4; line += 1) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  await page.keyboard.press('Backspace');
  // In one piece: text that is typed slowly takes more than one undo.
  await page.keyboard.insertText('.x + nodes.size.label.length;');
  await expect(page.locator('[data-edge="size code"] .edge')).toHaveClass(/reads/);
  await expect(editor).not.toContainText('after: size');
  await page.keyboard.press('Control+z');
  await expect(editor).toContainText('after: size');
  expect(problems).toEqual([]);
});

test('a workflow of 60 nodes is an outline, and its graph has names at every zoom', async ({
  app,
  page,
  enter,
}) => {
  const steps = Array.from(
    { length: 58 },
    (_, at) =>
      `  - id: step${at + 1}\n    type: set\n    values: { x: "=${at < 6 ? 'row.x' : `nodes.step${at - 5}.x`}" }\n`,
  );
  const nodes = `nodes:\n  - { id: input, type: input, testRows: [{ x: 1 }] }\n${steps.join('')}  - { id: longer_name, type: output, fields: { x: =nodes.step58.x } }\n`;
  await writeFile(fileOf(app.dataDir), `rowbench: 1\nid: leads\n${nodes}`);
  await enter('/workflows/leads');
  const outline = page.getByRole('listbox', { name: 'Nodes, in the order of the file' });
  await expect(outline.getByRole('option')).toHaveCount(60);
  expect(await barriers(page)).toEqual([]);
  await outline.press('/');
  await page.keyboard.type('step57');
  await page.keyboard.press('Enter');
  const { card } = onEditorScreen(page);
  await expect(card('step57')).toHaveAttribute('aria-selected', 'true');
  await expect(card('step57')).toBeInViewport();
  await page.keyboard.press('o');
  const graph = page.getByRole('listbox', { name: 'Nodes, from the input to the outputs' });
  await expect(graph).toBeFocused();
  await expect(card('step57')).toBeInViewport();
  await expect(page.locator('[data-minimap]')).toBeVisible();
  await graph.press('0');
  for (let step = 0; step < 8; step += 1) {
    const names = await page.locator('.card strong').evaluateAll((all) =>
      all.map((name) => {
        const range = document.createRange();
        const text = name.querySelector('bdi')?.firstChild;
        if (!text) return undefined;
        range.setStart(text, 0);
        range.setEnd(text, Math.min(8, text.textContent?.length ?? 0));
        const [box, shown] = [name.getBoundingClientRect(), range.getBoundingClientRect()];
        const scale = new DOMMatrix(getComputedStyle(name.closest('.all') ?? name).transform).a;
        return {
          isWhole: shown.right <= box.right + 1,
          size: Math.round(Number.parseFloat(getComputedStyle(name).fontSize) * scale * 10) / 10,
        };
      }),
    );
    expect(names).toHaveLength(60);
    for (const name of names) {
      expect(name?.isWhole).toBe(true);
      expect(name?.size).toBeGreaterThanOrEqual(10.9);
    }
    await graph.press('+');
  }
});
