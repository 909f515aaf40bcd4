// The matrix of a run of maximum size, and of rows that are hard to show.
import { expect, linkTo, startApp, test } from './in-app.ts';
import { scrollCost } from './frames.ts';

const rowCount = 100_000;

const large = `rowbench: 1
id: large
onRowError: skip
nodes:
  - { id: input, type: input }
${Array.from({ length: 8 }, (_, n) => `  - { id: part_${n}, type: set, values: { n: "=row.n + ${n}" } }`).join('\n')}
  - { id: check, type: fail, message: "no such company", when: "=row.n % 5000 === 17" }
  - { id: result, type: output, after: [check], fields: { n: "=row.n" } }
`;

test(
  'a run of 100,000 rows scrolls smoothly, holds little, and leads to each failed row',
  { tag: '@measured' },
  async ({ page }) => {
    test.setTimeout(90_000);
    const app = await startApp({ workflows: { large } });
    try {
      const runId = await app.run(
        'large',
        Array.from({ length: rowCount }, (_, n) => ({ n: n + 1 })),
      );
      const status = async (): Promise<string> => (await app.handlers['run.show']({ runId })).status;
      await expect.poll(status, { timeout: 60_000 }).toBe('completed');
      const devtools = await page.context().newCDPSession(page);
      await page.goto(await linkTo(app, `/runs/${runId}/matrix`));
      const grid = page.getByRole('grid', { name: 'Rows by nodes' });
      await expect(page.getByRole('rowheader', { name: /^Row 1: done/ })).toBeVisible();
      const { perSecond, slowMs, costMs } = await scrollCost(page, grid, 400);
      await devtools.send('HeapProfiler.collectGarbage');
      const heapMb = (await devtools.send('Runtime.getHeapUsage')).usedSize / 1e6;
      process.stdout.write(
        `      100,000 rows scroll at ${perSecond.toFixed(0)} frames a second, slow ones ${slowMs.toFixed(0)} ms, ${costMs.toFixed(1)} ms of computing each; heap ${heapMb.toFixed(1)} MB\n`,
      );
      // Computing time, not frames by the clock: those tell as much of what else the machine does.
      expect(costMs).toBeLessThan(20);
      expect(heapMb).toBeLessThan(100);
      expect(await grid.getByRole('row').count()).toBeLessThan(60);
      await grid.focus();
      await page.keyboard.press('End');
      await expect(page.getByRole('rowheader', { name: /^Row 100,000: done/ })).toBeInViewport();
      await expect(page.getByRole('gridcell', { name: 'part_0: not kept' }).first()).toBeVisible();
      await page.getByRole('button', { name: /^Failed/ }).click();
      await expect(grid.getByRole('rowheader')).toHaveCount(20);
      await page.getByRole('button', { name: /^All/ }).click();
      const map = page.getByRole('img', {
        name: 'The whole run: 100,000 of 100,000 rows have ended, 20 failed',
      });
      const box = await map.boundingBox();
      await map.click({ position: { x: 8, y: (box?.height ?? 0) / 2 } });
      await expect(page.getByRole('rowheader', { name: /^Row 50,001: done/ })).toBeInViewport();
    } finally {
      await app.close();
    }
  },
);

test('rows of a megabyte, and texts of all scripts, are shown as they are', async ({ page }) => {
  const echo = `rowbench: 1
id: echo
nodes:
  - { id: input, type: input }
  - { id: greet, type: code, code: "console.log('مرحبا', row.name); return row.name + ' 👋🏽';" }
  - { id: result, type: output, fields: { name: "=nodes.greet", text: "=row.text" } }
`;
  const app = await startApp({ workflows: { echo } });
  try {
    const names = ['ليلى حسن', '王小明', '👩‍🚀 Ада', '<img src=x onerror=alert(1)>'];
    const runId = await app.run('echo', [
      ...names.map((name) => ({ name })),
      { name: 'large', text: 'x'.repeat(1_000_000) },
    ]);
    await page.goto(await linkTo(app, `/runs/${runId}/matrix?row=1&node=greet`));
    const panel = page.getByRole('complementary', { name: /^Row/ });
    for (const name of names) {
      await expect(panel).toContainText(`${name} 👋🏽`);
      await expect(panel).toContainText(`مرحبا ${name}`);
      await page.keyboard.press('ArrowDown');
    }
    await page.keyboard.press('Control+ArrowLeft');
    await expect(panel).toContainText('The beginning: a trace keeps 16 KB of a value.');
    await expect(panel).toContainText('large');
  } finally {
    await app.close();
  }
});
