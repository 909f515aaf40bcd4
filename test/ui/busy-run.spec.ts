// A page that stays open while much goes on: it draws at a bounded pace and its memory stays flat.
// ROWBENCH_BUSY_SECONDS sets how long; the long form before a release is 600.
import type { CDPSession } from '@playwright/test';
import { expect, runList, startApp, test, linkTo } from './in-app.ts';

const seconds = Number(process.env['ROWBENCH_BUSY_SECONDS'] ?? 5);
/** More than end while the page is looked at: 16 at once, 20 ms each, are at most 800 a second. */
const rowCount = 100_000 + 800 * seconds;

/** Heap of the page after a garbage collection, in MB. */
async function heapMb(devtools: CDPSession): Promise<number> {
  await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devtools.send('Runtime.getHeapUsage');
  return usedSize / 1e6;
}

const slow = `rowbench: 1
id: steady
concurrency: 16
nodes:
  - { id: input, type: input }
  - { id: wait, type: delay, for: 20ms }
  - { id: result, type: output, after: [wait], fields: { n: "=row.n" } }
`;

test(
  `a busy run of ${seconds} s costs the page little memory and ten updates a second`,
  { tag: '@measured' },
  async ({ page }) => {
    test.setTimeout((seconds + 60) * 1000);
    const app = await startApp({ workflows: { steady: slow } });
    try {
      const devtools = await page.context().newCDPSession(page);
      await page.goto(await linkTo(app));
      await expect(page.getByRole('heading', { name: 'Runs', level: 1 })).toBeVisible();
      const runId = await app.run(
        'steady',
        Array.from({ length: rowCount }, (_, n) => ({ n, name: `row ${n}` })),
      );
      await expect(runList(page).row('steady').first()).toContainText('Running');
      await page.goto(await linkTo(app, `/runs/${runId}`));
      await expect(page.getByRole('heading', { name: 'steady', level: 1 })).toBeVisible();
      const before = await heapMb(devtools);
      const { changes, seenMs } = await page.evaluate(async (ms) => {
        const from = performance.now();
        const heading = document.querySelector('main');
        // Changes that are drawn together count once: by the frame that they come before.
        let frames = 0;
        let isRecorded = false;
        const watcher = new MutationObserver(() => {
          if (isRecorded) return;
          isRecorded = true;
          frames += 1;
          requestAnimationFrame(() => (isRecorded = false));
        });
        if (heading !== null)
          watcher.observe(heading, { subtree: true, childList: true, characterData: true });
        await new Promise((resolve) => setTimeout(resolve, ms));
        watcher.disconnect();
        return { changes: frames, seenMs: performance.now() - from };
      }, seconds * 1000);
      const after = await heapMb(devtools);
      process.stdout.write(
        `      ${seconds} s of a busy run: heap ${before.toFixed(1)} -> ${after.toFixed(1)} MB, ${((1000 * changes) / seenMs).toFixed(1)} updates a second\n`,
      );
      expect((await app.handlers['run.show']({ runId })).status).toBe('running');
      expect(after).toBeLessThan(300);
      expect(after - before).toBeLessThan(50);
      expect((1000 * changes) / seenMs).toBeLessThanOrEqual(11);
      expect(changes).toBeGreaterThan(0);
    } finally {
      await app.close();
    }
  },
);
