import { barriers, expect, startApp, test as base } from './in-app.ts';

const slow = `rowbench: 1
id: slow
onRowError: skip
nodes:
  - { id: input, type: input }
  - { id: company, type: delay, when: "=row.n % 4 !== 0", for: 30ms }
  - { id: check, type: fail, message: "no", rows: [5], after: [company] }
  - { id: result, type: output, after: [check], fields: { n: "=row.n" } }
`;
const test = base.extend({
  app: async ({}, use) => {
    const app = await startApp({
      workflows: { slow, waiting: slow.replace('id: slow', 'id: waiting').replace('30ms', '1h') },
    });
    await use(app);
    await app.close();
  },
});

const rows = (count: number) => Array.from({ length: count }, (_, n) => ({ n: n + 1 }));

test('Timing tells where the time went, live, and in words too', async ({ app, page, enter }) => {
  const runId = await app.run('slow', rows(40));
  await enter(`/runs/${runId}/timing`);
  const node = (id: string) => page.getByRole('row', { name: new RegExp(`^${id} `) });
  await expect(node('company').getByRole('cell').nth(1)).toHaveText('30');
  await expect(node('company').getByRole('cell').nth(3)).toHaveText('10');
  await expect(node('check').getByRole('cell').nth(2)).toHaveText('1');
  await expect(node('company').getByRole('img')).toHaveAccessibleName(/in company: .*\d+ in [\d.]+ ms to/);
  await expect(page.getByRole('list', { name: 'Share of the time by node' })).toContainText(
    /company (9\d|100) %/,
  );
  await expect(page.getByRole('img', { name: /^Rows per second over/ })).toBeVisible();
  await page.getByText('As a table').click();
  const table = page.getByRole('region', { name: 'Rows per second as a table' });
  const counts = await table.locator('tbody td:nth-child(2)').allTextContents();
  expect(counts.map(Number).reduce((sum, each) => sum + each, 0)).toBe(40);
  expect(await barriers(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await barriers(page)).toEqual([]);
});

test('before a row has ended, Timing says what it waits for', async ({ app, page, enter }) => {
  const runId = await app.run('waiting', rows(3));
  await enter(`/runs/${runId}/timing`);
  await expect(page.getByText('No row has ended yet')).toBeVisible();
});
