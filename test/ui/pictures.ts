// Pictures of every screen for the guide, in both themes, from the real app with rows of the examples.
// `npm run pictures` writes them to docs/screenshots.
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, type Page } from '@playwright/test';
import { linkTo, startApp, test } from './in-app.ts';
import { addPictureFonts } from './picture-fonts.ts';
import type { TestApp } from '../builders/start-test-app.ts';
import { sectionsOf } from '../../src-renderer/state/settings/settings-sections.ts';

const picturesFolder = fileURLToPath(new URL('../../docs/screenshots', import.meta.url));

const example = (name: string): Promise<string> =>
  readFile(new URL(`../../examples/${name}.workflow.yaml`, import.meta.url), 'utf8');

const names = ['Ada Lovelace', 'Grace Hopper', 'Alan Turing', 'محمد الخوارزمي', '秦九韶', 'Emmy Noether 🧮'];
const hosts = ['analytical.example', 'navy.example', 'bletchley.example', 'gmail.com'];

/** Leads as a shop would have them: each 17th has no address, and fails. */
const leads = (count: number): readonly object[] =>
  Array.from({ length: count }, (_, n) => ({
    name: names[n % names.length],
    ...(n % 17 === 2 ? {} : { email: `lead-${n + 1}@${hosts[n % hosts.length]}` }),
    employees: (n * 37) % 900,
    tags: n % 3 === 0 ? ['demo', 'pricing'] : ['newsletter'],
  }));

type BroughtRuns = { readonly runId: string; readonly earlier: string };

async function bring(app: TestApp): Promise<BroughtRuns> {
  await app.handlers['key.create']({ name: 'Nightly import', workflows: ['lead-scoring'] });
  await app.run('order-checks', [{ order: 1 }]);
  await app.run('lead-scoring', leads(2));
  await app.run(
    'slow-rows',
    Array.from({ length: 400 }, (_, n) => ({ name: `Order ${n + 1}` })),
  );
  const earlier = await runOfEarlierText(app);
  const runId = await completedRun(app);
  for (let n = 0; n < 8; n += 1) await app.call(`/api/v1/workflows/lead-scoring/runs/${runId}/async/status`);
  await app.call('/api/v1/workflows/lead-scoring/runs/none/async/status');
  await app.call('/api/v1/workflows/lead-scoring/runs/none/async/status', { key: 'rbk_wrong' });
  return { runId, earlier };
}

async function completedRun(app: TestApp): Promise<string> {
  const runId = await app.run('lead-scoring', leads(1200));
  await expect
    .poll(async () => (await app.handlers['run.show']({ runId })).finishedAt, { timeout: 20_000 })
    .not.toBeNull();
  return runId;
}

/** A run for the comparison: its workflow gave fewer points to leads that asked for a price. */
async function runOfEarlierText(app: TestApp): Promise<string> {
  const file = join(app.dataDir, 'workflows', 'lead-scoring.workflow.yaml');
  const text = await readFile(file, 'utf8');
  await writeFile(file, text.replace('pricing: 20', 'pricing: 10'));
  const runId = await completedRun(app);
  await writeFile(file, text);
  return runId;
}

type Where = readonly [path: string, words: string];

/** Where each is, and what is to be seen there once all is drawn, where a list has to come first. */
const pathsOf = ({ runId, earlier }: BroughtRuns): Readonly<Record<string, Where>> => ({
  runs: ['/runs', 'Slow rows'],
  'run-rows': [`/runs/${runId}`, 'Grace'],
  'run-nodes': [`/runs/${runId}#show=nodes`, 'µs'],
  'run-timing': [`/runs/${runId}/timing`, 'score'],
  'run-why': [`/runs/${runId}/why`, 'email'],
  compare: [`/compare/${earlier}/${runId}`, '+10'],
  find: ['/find#q=analytical', 'analytical'],
  'row-entry': [`/workflows/lead-scoring/run?from=${runId}&rows=failed`, 'Failed because'],
  'row-entry-json': [`/workflows/lead-scoring/run?from=${runId}&rows=failed&view=json`, ''],
  'row-entry-form': [`/workflows/lead-scoring/run?from=${runId}&rows=failed&view=form`, ''],
  'row-entry-file': ['/workflows/lead-scoring/run?view=file', ''],
  'row-entry-sets': ['/workflows/lead-scoring/run?view=sets', ''],
  workflows: ['/workflows', 'Order checks'],
  'workflow-tests': ['/workflows/lead-scoring/tests', ''],
  'workflow-snippets': ['/workflows/lead-scoring/snippets', ''],
  'workflow-access': ['/workflows/lead-scoring/access', ''],
  'api-log': ['/log', 'more findings'],
  keys: ['/keys', 'Nightly import'],
  ...Object.fromEntries(
    sectionsOf(false).map((section): [string, Where] => [
      `settings-${section}`,
      [`/settings/${section}`, ''],
    ]),
  ),
});

/** Replaces the data folder's path by the one of a typical user, so that pictures do not show the machine's paths. */
const hidePaths = (page: Page, folder: string): Promise<void> =>
  page.evaluate((path) => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode())
      node.nodeValue = node.nodeValue?.replaceAll(path, '~/rowbench') ?? '';
  }, folder);

async function go(page: Page, [path, words]: Where): Promise<void> {
  await page.evaluate((path) => {
    history.pushState(null, '', path);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('main')).toContainText(words);
  // Skeletons are shown until the content has loaded.
  await page.evaluate(() => document.fonts.ready.then(() => new Promise(requestAnimationFrame)));
  await expect(page.locator('main .skeleton')).toHaveCount(0);
}

for (const theme of ['light', 'dark'] as const) {
  test(`every screen, ${theme}`, async ({ page }) => {
    test.setTimeout(180_000);
    const workflows = Object.fromEntries(
      await Promise.all(
        ['lead-scoring', 'order-checks', 'slow-rows', 'invoice-lines'].map(async (name) => [
          name,
          await example(name),
        ]),
      ),
    ) as Record<string, string>;
    for (const name of Object.keys(workflows))
      if (name === 'lead-scoring')
        workflows[name] = workflows[name]?.replace('nodes:', 'onRowError: skip\n\nnodes:') ?? '';
    const app = await startApp({ workflows, limits: 'published' });
    try {
      await page.setViewportSize({ width: 1360, height: 820 });
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      await page.goto(await linkTo(app));
      await addPictureFonts(page, names.join(''));
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await page.screenshot({ path: `${picturesFolder}/first-start-${theme}.png` });
      const runs = await bring(app);
      for (const [name, path] of Object.entries(pathsOf(runs))) {
        await go(page, path);
        await hidePaths(page, app.dataDir);
        await page.screenshot({ path: `${picturesFolder}/${name}-${theme}.png` });
      }
    } finally {
      await app.close();
    }
  });
}

const pasted =
  'name\temail\temployees\nAda Lovelace\tada@analytical.example\t120\nGrace Hopper\tgrace@navy.example\t900\n';

for (const theme of ['light', 'dark'] as const) {
  test(`dialogs of the editor, ${theme}`, async ({ page }) => {
    const app = await startApp({ workflows: { 'lead-scoring': await example('lead-scoring') } });
    const rows = 'lead-scoring.rows.json';
    await copyFile(join('examples', rows), join(app.dataDir, 'workflows', rows));
    const shoot = async (name: string): Promise<void> => {
      await hidePaths(page, app.dataDir);
      await page.screenshot({ path: `${picturesFolder}/${name}-${theme}.png` });
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
      await expect(page.getByRole('dialog')).toBeHidden();
    };
    try {
      await page.setViewportSize({ width: 1360, height: 820 });
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      await page.goto(await linkTo(app, '/workflows'));
      await page.getByRole('button', { name: 'New workflow…' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('textbox', { name: 'Paste rows' }).fill(pasted);
      await expect(dialog.getByText('New file:')).toBeVisible();
      await shoot('new-workflow');
      await go(page, ['/workflows/lead-scoring?node=score', 'Business address']);
      const text = page.getByRole('textbox', { name: 'Workflow file' });
      await text.waitFor();
      await page.keyboard.press('e');
      await expect(text).toBeFocused();
      await page.locator('[data-node=score]').click();
      await expect(page.locator('[data-node=score]')).toContainText('points: 90');
      await hidePaths(page, app.dataDir);
      await page.screenshot({ path: `${picturesFolder}/workflow-${theme}.png` });
      const graph = page.getByRole('listbox', { name: /^Nodes/ });
      await graph.press('a');
      await page.keyboard.type('gpt');
      await expect(page.getByLabel('Lines that it writes')).toContainText('type: llm');
      await page.screenshot({ path: `${picturesFolder}/picker-${theme}.png` });
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
      await graph.press('F2');
      await dialog.getByLabel('New id').fill('rating');
      await expect(dialog.getByRole('status')).toContainText('will change');
      await shoot('rename');
      await page.getByRole('button', { name: 'Save as test…' }).click();
      await expect(dialog.getByRole('region')).toContainText('points');
      await shoot('row-test');
    } finally {
      await app.close();
    }
  });
}
