// Texts of others on every screen: whatever a row, a file, a key or a caller brings is shown as the text that it is.
import type { Page } from '@playwright/test';
import { hostileTexts, selfStarting } from '../builders/hostile-texts.ts';
import { expect, test } from './in-app.ts';

const isHacked = (page: Page): Promise<boolean> => page.evaluate(() => 'hacked' in globalThis);

test('the texts do harm where markup is made of them', async ({ page }) => {
  const harmless: string[] = [];
  for (const text of selfStarting) {
    await page.goto('about:blank');
    await page.evaluate((markup) => {
      document.body.innerHTML = markup;
    }, text);
    await expect
      .poll(() => isHacked(page), { timeout: 2_000 })
      .toBe(true)
      .catch(() => harmless.push(text));
  }
  expect(harmless).toEqual([]);
});
