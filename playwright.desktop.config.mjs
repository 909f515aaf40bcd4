import { defineConfig } from '@playwright/test';

// The app in Electron's own binary: one window at a time, on one machine's screen.
export default defineConfig({
  testDir: 'test/desktop',
  outputDir: 'test-results/desktop',
  workers: 1,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  forbidOnly: true,
  reporter: [
    ['list'],
    ['json', { outputFile: process.env['ROWBENCH_UI_REPORT'] ?? 'test-results/desktop-report.json' }],
  ],
});
