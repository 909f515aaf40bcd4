// The pages in the desktop window, with a test bridge in place of Electron's.
import type { Page } from '@playwright/test';
import { barriers, expect, test } from './in-app.ts';

async function standIn(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const calls: unknown[] = [];
    const bridge = {
      call: (...call: unknown[]) => Promise.resolve(void calls.push(call)),
      onGo: (go: (path: string) => void) => Object.assign(globalThis, { go }),
    };
    Object.assign(globalThis, { rowbench: bridge, calls });
  });
}

const callsOf = (page: Page): Promise<unknown[]> =>
  page.evaluate(() => (globalThis as unknown as { calls: unknown[] }).calls);

test('a page in the desktop window offers what it can do there, and goes where menus and files lead', async ({
  page,
  enter,
  problems,
}) => {
  await standIn(page);
  await enter('/runs');
  await expect(page.getByRole('heading', { name: 'No runs yet' })).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Commands' }).getByRole('combobox').fill('data folder');
  await page.getByRole('option', { name: 'Show the data folder' }).click();
  expect(await callsOf(page)).toEqual([['show-data-folder', {}]]);
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

test('the window shows files and the data folder, and switches the look for new versions off', async ({
  page,
  app,
  enter,
  problems,
}) => {
  await standIn(page);
  await enter('/workflows/echo');
  const more = page.getByRole('main').getByRole('button', { name: 'More' });
  await more.click();
  await expect(page.getByRole('menuitem', { name: 'Open in VS Code' })).toHaveCount(0);
  await page.getByRole('menuitem', { name: 'Show in folder' }).click();
  await more.click();
  await page.getByRole('menuitem', { name: 'Open in your editor' }).click();
  await page.keyboard.press('g');
  await page.keyboard.press('s');
  await page.getByRole('link', { name: 'Data folder' }).click();
  await page.getByRole('button', { name: 'Show in folder' }).click();
  const workflowId = 'echo';
  expect(await callsOf(page)).toEqual([
    ['reveal-workflow', { workflowId }],
    ['edit-workflow', { workflowId }],
    ['show-data-folder', {}],
  ]);
  await page.getByRole('link', { name: 'About' }).click();
  const look = page.getByRole('switch', { name: 'Look for new versions' });
  await look.click();
  await expect(look).not.toBeChecked();
  expect(await barriers(page)).toEqual([]);
  await expect.poll(() => app.services.settings().updates).toBe('off');
  expect(problems).toEqual([]);
});

test('a browser is offered none of it, but the path to copy', async ({ page, enter }) => {
  await enter('/workflows/echo');
  await page.getByRole('main').getByRole('button', { name: 'More' }).click();
  await expect(page.getByRole('menuitem', { name: 'Copy the path of the file' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Show in folder' })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await page.keyboard.press('g');
  await page.keyboard.press('s');
  await page.getByRole('link', { name: 'About' }).click();
  await expect(page.getByText('Running since')).toBeVisible();
  await expect(page.getByRole('switch')).toHaveCount(0);
});
