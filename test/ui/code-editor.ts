// The page with the code editor alone, built as the app is built.
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Locator, Page } from '@playwright/test';
import type { EditorTest } from './editor-page/main.ts';
import { drawn, expect, startApp, test as base } from './in-app.ts';

type EditorPage = {
  readonly content: Locator;
  /** Lines as drawn, those in sight. */
  readonly lines: Locator;
  /** The file as the owner would save it. */
  readonly text: () => Promise<string>;
  readonly open: (props: Parameters<EditorTest['open']>[0]) => Promise<void>;
};

type Fixtures = { readonly editorPage: EditorPage };
type WorkerFixtures = { readonly editorFolder: string };

declare const editorTest: EditorTest;

export const test = base.extend<Fixtures, WorkerFixtures>({
  editorFolder: [
    async ({}, use) => {
      const outDir = await mkdtemp(join(tmpdir(), 'rowbench-editor-page-'));
      const options = [
        'build',
        fileURLToPath(new URL('editor-page', import.meta.url)),
        ...[
          '--config',
          'vite.renderer.config.mjs',
          '--outDir',
          outDir,
          '--emptyOutDir',
          '--logLevel',
          'warn',
        ],
      ];
      // Playwright has another NODE_ENV, with which Svelte would be built for development.
      await promisify(execFile)(process.execPath, ['node_modules/vite/bin/vite.js', ...options], {
        cwd: fileURLToPath(new URL('../..', import.meta.url)),
        env: { ...process.env, NODE_ENV: 'production' },
      });
      await use(outDir);
      await rm(outDir, { recursive: true, force: true });
    },
    { scope: 'worker' },
  ],
  app: async ({ editorFolder }, use) => {
    const app = await startApp({ pagesFolder: editorFolder });
    await use(app);
    await app.close();
  },
  editorPage: async ({ app, page, problems }, use) => {
    await page.goto(app.url);
    await use(editorPageOf(page));
    expect(await page.evaluate(() => editorTest.violations)).toEqual([]);
    expect(problems).toEqual([]);
  },
});

function editorPageOf(page: Page): EditorPage {
  const content = page.getByRole('textbox', { name: 'Workflow file' });
  return {
    content,
    lines: content.locator('.cm-line'),
    text: () => page.evaluate(() => editorTest.editor?.text() ?? ''),
    open: async (props) => {
      await page.waitForFunction(() => 'editorTest' in globalThis);
      await page.evaluate((each) => editorTest.open(each), props);
      await content.waitFor();
    },
  };
}

/**
 * Types characters, some of which open and close texts over lines. Gives the computing time of the page's own thread
 * from each key press until its result is drawn, in ms: other programs of the machine do not count.
 */
export async function typingCost(
  page: Page,
  keys: number,
): Promise<{ readonly p95: number; readonly max: number }> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  const busyMs = async (): Promise<number> => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN);
  };
  const text = ' key: "a" {b} # c';
  const costs: number[] = [];
  for (let n = 0; n < keys; n += 1) {
    const before = await busyMs();
    await page.keyboard.press(text.charAt(n % text.length));
    await drawn(page);
    costs.push((await busyMs()) - before);
  }
  await devtools.detach();
  costs.sort((one, other) => one - other);
  return { p95: costs[Math.floor(keys * 0.95)] ?? Infinity, max: costs.at(-1) ?? Infinity };
}
