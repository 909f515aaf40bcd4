// The clipboard as people use it in a grid. The specs grant the browser's permission for it.
import type { Page } from '@playwright/test';

/** Pastes a text where the focus is. */
export async function paste(page: Page, text: string): Promise<void> {
  await page.evaluate((value) => navigator.clipboard.writeText(value), text);
  await page.keyboard.press('Control+v');
}

/** Selects and copies all that the grid has. Returns the text that other programs get. */
export async function all(page: Page): Promise<string> {
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+c');
  return page.evaluate(() => navigator.clipboard.readText());
}
