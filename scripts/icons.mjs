// Draws build/icons and the pages' icon.png anew from src-renderer/public/icon.svg: node scripts/icons.mjs
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { findBrowser } from './browser.mjs';
import { root } from './process.mjs';

/** As the systems ask for them; electron-builder makes .icns and .ico of the largest. */
const sizes = [16, 32, 48, 64, 128, 256, 512, 1024];
const folder = join(root, 'build', 'icons');
const publicFolder = join(root, 'src-renderer', 'public');

const source = readFileSync(join(publicFolder, 'icon.svg')).toString('base64');
const executablePath = findBrowser();
const browser = await chromium.launch({
  ...(executablePath === undefined ? {} : { executablePath }),
  args: ['--no-sandbox'],
});
const page = await browser.newPage();
mkdirSync(folder, { recursive: true });
for (const size of sizes) {
  await page.setViewportSize({ width: size, height: size });
  const image = `<img width="${size}" height="${size}" src="data:image/svg+xml;base64,${source}">`;
  await page.setContent(`<body style="margin:0;background:transparent">${image}</body>`);
  const picture = await page.screenshot({ omitBackground: true });
  writeFileSync(join(folder, `${size}x${size}.png`), picture);
  if (size === 256) writeFileSync(join(publicFolder, 'icon.png'), picture);
}
await browser.close();
