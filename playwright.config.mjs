import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';
import { findBrowser } from './scripts/browser.mjs';

const installed = findBrowser();

export default defineConfig({
  testDir: 'test/ui',
  // The guide's pictures are drawn when they are asked for: npm run pictures.
  testMatch: process.env['ROWBENCH_PICTURES'] === undefined ? '*.spec.ts' : 'pictures.ts',
  outputDir: 'test-results',
  fullyParallel: true,
  // Two a core: a test waits more than half of its time, for timers and between two looks at the page.
  workers: availableParallelism() * 2,
  projects: [
    { name: 'main', grep: /@main/ },
    // What fades and turns takes a tenth of the time: all others see it stand, as users who prefer that do.
    {
      name: 'pages',
      grepInvert: /@main|@measured/,
      use: { contextOptions: { reducedMotion: 'reduce' } },
    },
    // Those that hold how fast a page is, one at a time: after the others, where all are run.
    { name: 'measured', grep: /@measured/, workers: 1 },
  ],
  // Machines that test are shared; what is waited for comes at once on a quiet one.
  timeout: 90_000,
  expect: { timeout: 10_000 },
  forbidOnly: true,
  reporter: [
    ['list'],
    ['json', { outputFile: process.env['ROWBENCH_UI_REPORT'] ?? 'test-results/report.json' }],
  ],
  use: {
    // Traces of all tests take a fifth of the time; `--trace on` makes one of a test that fails.
    screenshot: 'only-on-failure',
    viewport: { width: 1280, height: 800 },
    launchOptions: {
      ...(installed === undefined ? {} : { executablePath: installed }),
      // Without a GPU, a process for it would draw in software: the browser's own does that with less to pass on.
      args: ['--no-sandbox', '--disable-gpu', '--in-process-gpu', '--disable-dev-shm-usage'],
    },
  },
});
