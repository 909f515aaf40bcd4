// What the pages make of the desktop window, with its bridge in place of Electron's.
import { expect, test } from './in-app.ts';

test('a page in the desktop window offers what it can do there, and goes where menus and files lead', async ({
  page,
  enter,
  problems,
}) => {
  await page.addInitScript(() => {
    const calls: string[] = [];
    const bridge = {
      call: (name: string) => Promise.resolve(void calls.push(name)),
      onGo: (go: (path: string) => void) => Object.assign(globalThis, { go }),
    };
    Object.assign(globalThis, { rowbench: bridge, calls });
  });
  await enter('/runs');
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Commands' }).getByRole('combobox').fill('data folder');
  await page.getByRole('option', { name: 'Show the data folder' }).click();
  expect(await page.evaluate(() => (globalThis as unknown as { calls: string[] }).calls)).toEqual([
    'show-data-folder',
  ]);
  await page.evaluate(() =>
    (globalThis as unknown as { go: (path: string) => void }).go(
      '/workflows?import=%2Fx%2Fask.workflow.yaml',
    ),
  );
  await expect(page.getByRole('dialog', { name: 'Import workflows' }).getByRole('textbox')).toHaveValue(
    '/x/ask.workflow.yaml',
  );
  expect(problems).toEqual([]);
});
