// The first two minutes, by keyboard alone. The user creates a key, runs pasted rows, sees why row 3 failed, fixes it
// and repeats only the failed row. No pointer, no typed address, and a visible focus at every step.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Locator, Page } from '@playwright/test';
import { startApp } from '../../src-main/app/start-app.ts';
import { silentLog } from '../../src-main/base/log.ts';
import { expect, pagesFolder, test } from './in-app.ts';

const workerScript = fileURLToPath(new URL('../../dist/row-worker.cjs', import.meta.url));

/** As a spreadsheet puts them on the clipboard. */
const ownRows = [
  ['Ada Lovelace', 'ada@analytical.example', '120'],
  ['陳大文', 'chen@example.example', '8'],
  ['محمد', 'mohammed(at)example.example', '40'],
  ['Zoë 🦊', 'zoe@example.example', '7'],
]
  .map((cells) => cells.join('\t'))
  .join('\n');

/** The focused element and whether its outline is visible; lost focus is on the body. */
const focus = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (element === null || element === document.body) return { isLost: true, isVisible: false, html: '' };
    // A grid has one tab stop, and shows where in it the keys are.
    const inGrid = element.getAttribute('role') === 'grid' ? (element.parentElement ?? element) : element;
    const holders = [element, element.parentElement ?? element, ...inGrid.querySelectorAll('*')];
    const isVisible = holders.some((each) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(each);
      return outlineStyle !== 'none' && outlineWidth !== '0px';
    });
    return { isLost: false, isVisible, html: element.outerHTML.slice(0, 120) };
  });

/** Tab until it has the focus, which is seen on all of the way. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let presses = 0; presses < 80; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
    const { isLost, isVisible, html } = await focus(page);
    if (!isLost) expect(isVisible, `the focus is seen on ${html}`).toBe(true);
  }
  throw new Error(`Tab does not lead to ${target.toString()}`);
}

test('the first two minutes by keyboard alone', { tag: '@main' }, async ({ page, context, problems }) => {
  test.setTimeout(90_000);
  const home = await mkdtemp(join(tmpdir(), 'rowbench-story-'));
  const app = await startApp({
    dataDir: join(home, 'data'),
    port: 0,
    sample: true,
    workerScript,
    pagesFolder,
    log: silentLog,
  });
  try {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto((await app.handlers['server.link']({})).url);
    const began = performance.now();
    const { keyboard } = page;

    // A key.
    await expect(page.getByRole('heading', { name: 'No runs yet' })).toBeVisible();
    await keyboard.press('g');
    await keyboard.press('k');
    await tabTo(page, page.getByRole('button', { name: 'Create key' }).first());
    await keyboard.press('Enter');
    await keyboard.type('My script');
    await keyboard.press('Enter');
    await tabTo(page, page.getByRole('button', { name: 'Done' }));
    await keyboard.press('Enter');
    await expect(page.getByRole('row').filter({ hasText: 'My script' })).toBeVisible();
    expect((await focus(page)).isLost).toBe(false);

    // Own rows, pasted.
    await keyboard.press('c');
    await expect(page.getByRole('option', { name: 'Score leads' })).toBeVisible();
    await keyboard.press('Enter');
    const sheet = page.getByRole('grid');
    await tabTo(page, sheet);
    await page.evaluate((text) => navigator.clipboard.writeText(text), ownRows);
    await keyboard.press('Control+a');
    await keyboard.press('Delete');
    await keyboard.press('Control+Home');
    await keyboard.press('Control+v');
    await expect(sheet).toContainText('陳大文');
    await keyboard.press('Control+Enter');

    // Live, and why row 3 failed.
    await expect(page.getByRole('heading', { name: 'Score leads', level: 1, exact: true })).toBeVisible();
    await expect(page.getByText('Completed').first()).toBeVisible();
    const table = page.getByRole('grid');
    await tabTo(page, table);
    await keyboard.press('Control+Home');
    await keyboard.press('ArrowDown');
    await keyboard.press('ArrowDown');
    await keyboard.press('ArrowRight');
    await keyboard.press('ArrowRight');
    await keyboard.press('Enter');
    await expect(page.getByRole('complementary').last()).toContainText('is not an email address: no @');
    await keyboard.press('Escape');

    // Mended, and only what failed repeated.
    await keyboard.press('Control+k');
    await keyboard.type('fix');
    await keyboard.press('Enter');
    await tabTo(page, sheet);
    await expect(sheet).toContainText('mohammed(at)example.example');
    await keyboard.press('Control+Home');
    await keyboard.press('ArrowRight');
    await keyboard.type('mohammed@example.example');
    await keyboard.press('Enter');
    await keyboard.press('Control+Enter');
    await expect(page.getByText('1 of 1 done').or(page.getByText('1 row done')).first()).toBeVisible();
    await expect(page.getByText('2 attempts')).toBeVisible();

    expect(performance.now() - began).toBeLessThan(120_000);
    expect(problems).toEqual([]);
  } finally {
    await app.close();
    await rm(home, { recursive: true, force: true, maxRetries: 3 });
  }
});
