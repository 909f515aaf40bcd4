import { queuedRun } from '../builders/run-record.ts';
import { scrollCost } from './frames.ts';
import { barriers, expect, linkTo, runList, startApp, test } from './in-app.ts';

const rows = (count: number) => Array.from({ length: count }, (_, n) => ({ n }));

test('two pages see the same run live, from its start to its end', async ({ app, page, context, enter }) => {
  await enter();
  const other = await context.newPage();
  await other.goto(await linkTo(app, '/runs'));
  const runId = await app.run('waiting', rows(3));
  for (const each of [page, other]) await expect(runList(each).row('waiting')).toContainText('Running');
  await app.handlers['run.cancel']({ runId });
  for (const each of [page, other]) await expect(runList(each).row('waiting')).toContainText('Cancelled');
  await expect(runList(page).row('waiting')).toContainText('0 / 3');
});

test('the keys alone find the failed run, say why, and repeat what failed', async ({ app, page, enter }) => {
  for (let n = 0; n < 3; n += 1) await app.run('quick', rows(2));
  const runId = await app.run('failing', rows(3));
  await enter();
  const list = runList(page);
  await expect(list.row('HTTP 500')).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.type('http 500');
  await expect(list.row('quick')).toHaveCount(0);
  await expect(page).toHaveURL(/q=http(\+|%20)500/);
  await page.keyboard.press('Enter');
  await expect(list.grid).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'failing', level: 1 })).toBeVisible();
  await expect(page.getByRole('region', { name: 'This run' })).toContainText(
    'Node "company" failed on row 3: HTTP 500 from GET https://example.com',
  );
  await expect(page.getByRole('gridcell', { name: /^company HTTP 500/ })).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('rerun open');
  await page.keyboard.press('Enter');
  await expect(page.getByText('2 attempts')).toBeVisible();
  await page.keyboard.press('Escape');
  // The rerun is an attempt of the same chain: one line, until it is unfolded.
  await expect(list.row('failing')).toHaveCount(1);
  await expect(list.row('failing')).toContainText('2 attempts');
  const { counts } = await app.handlers['chain.show']({ runId });
  await expect(list.row(`${counts.open} open`)).toContainText(`${counts.done} / ${counts.rows}`);
  const attempts = page.getByRole('row', { name: /Open rows|All rows/ });
  await expect(attempts).toHaveCount(0);
  await page.keyboard.press('ArrowRight');
  await expect(attempts).toHaveCount(2);
  await page.reload();
  await expect(attempts).toHaveCount(2);
  expect(await barriers(page)).toEqual([]);
  await page.getByRole('button', { name: 'Hide the 2 attempts' }).click();
  await expect(attempts).toHaveCount(0);
  const navigation = page.getByRole('navigation', { name: 'Places' });
  await expect(navigation.getByRole('link', { name: /^Runs/ })).toHaveText(/^Runs\s*4$/);
  // An older attempt leads to its chain as well, and a pin is of all attempts.
  await page.getByRole('searchbox').fill(runId.slice(runId.lastIndexOf('-') + 1));
  await expect(list.row('quick')).toHaveCount(0);
  await expect(list.row('failing')).toContainText('2 attempts');
  await list.row('failing').getByRole('checkbox').check();
  await page.getByRole('toolbar', { name: 'Selected runs' }).getByRole('button', { name: /^Pin/ }).click();
  await expect(list.row('failing').getByLabel('Pinned')).toBeVisible();
  const pinned = await app.handlers['chain.show']({ runId });
  expect(pinned.counts.labels).toEqual({ isPinned: true });
  const recent = navigation.getByRole('link', { name: 'failing' });
  await expect(recent).toContainText(`${counts.open} open`);
  await recent.click();
  await expect(page).toHaveURL(/\/runs\/[-\w]+#where=/);
  await expect(page.getByRole('heading', { name: 'failing', level: 1 })).toBeVisible();
});

test('a workflow with the longest name there may be stays within the bar, and says its name', async ({
  page,
}) => {
  const id = 'a-name'.padEnd(64, '-as-long-as-may-be');
  const text = `rowbench: 1\nid: ${id}\nnodes:\n  - { id: input, type: input }\n  - { id: out, type: output, fields: { n: "=row.n" } }\n`;
  const app = await startApp({ workflows: { [id]: text } });
  try {
    await app.run(id, rows(1));
    await page.goto(await linkTo(app, '/runs'));
    const bar = page.getByRole('navigation', { name: 'Places' });
    const link = bar.getByRole('link', { name: id });
    await expect(link).toHaveAttribute('title', new RegExp(`^${id}: `));
    const [around, own] = [await bar.boundingBox(), await link.boundingBox()];
    expect((own?.x ?? 0) + (own?.width ?? Infinity)).toBeLessThanOrEqual(
      (around?.x ?? 0) + (around?.width ?? 0),
    );
  } finally {
    await app.close();
  }
});

test('j and k move, x selects, and one verb is done to all that are selected', async ({
  app,
  page,
  enter,
}) => {
  for (let n = 0; n < 3; n += 1) await app.run('waiting', rows(1));
  await enter();
  const list = runList(page);
  await expect(list.row('Running')).toHaveCount(3);
  await list.grid.focus();
  await page.keyboard.press('x');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  await page.keyboard.press('x');
  await expect(page.getByRole('row', { selected: true })).toHaveCount(2);
  const bar = page.getByRole('toolbar', { name: 'Selected runs' });
  await bar.getByRole('button', { name: 'Pause' }).click();
  await expect(list.row('Paused')).toHaveCount(2);
  await expect(bar).toBeHidden();
  await expect(page.getByRole('log')).toContainText('2 runs paused');
  await page.keyboard.press('Control+a');
  await bar.getByRole('button', { name: 'Resume' }).click();
  await expect(list.row('Running')).toHaveCount(3);
  await expect(bar).toBeHidden();
  await page.keyboard.press('Control+a');
  await bar.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('dialog', { name: 'Cancel 3 runs?' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Let them run' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(list.row('Running')).toHaveCount(3);
  await bar.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Cancel 3 runs' }).click();
  await expect(list.row('Cancelled')).toHaveCount(3);
});

test('nothing jumps under the pointer: newer runs wait until they are asked for', async ({
  app,
  page,
  enter,
}) => {
  await app.run('quick', rows(1));
  await enter();
  const list = runList(page);
  await list.row('quick').hover();
  const before = await list.row('quick').boundingBox();
  await app.run('echo', rows(1));
  await expect(page.getByRole('button', { name: '1 newer run' })).toBeVisible();
  await expect(list.row('echo')).toHaveCount(0);
  expect(await list.row('quick').boundingBox()).toEqual(before);
  await page.getByRole('button', { name: '1 newer run' }).click();
  await expect(list.row('echo')).toBeVisible();
});

test('a link leads to a run, back leads back, and an unknown run says so', async ({ app, page, enter }) => {
  const runId = await app.run('quick', rows(2));
  await enter(`/runs/${runId}`);
  await expect(page.getByRole('heading', { name: 'quick', level: 1 })).toBeVisible();
  await expect(page.getByText('2 of 2 done')).toBeVisible();
  await page.getByRole('navigation').getByRole('link', { name: 'Runs' }).click();
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'quick', level: 1 })).toBeVisible();
  await enter('/runs/none');
  await expect(page.getByRole('heading', { name: 'There is no such run' })).toBeVisible();
});

/** Completed runs, of which the last in this list is the newest. */
const ended = (count: number, days = 0) => {
  const acceptedAt = new Date(Date.now() - days * 86_400_000).toISOString();
  return Array.from({ length: count }, (_, n) => {
    const runId = `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`;
    const times = { acceptedAt, startedAt: acceptedAt, finishedAt: acceptedAt };
    return {
      ...queuedRun(),
      ...times,
      runId,
      status: 'completed',
      counts: { rowsDone: 3, rowsFailed: 0 },
    } as const;
  });
};

test('the run that the keys are on is never below the edge, nor under the bar of verbs', async ({ page }) => {
  const app = await startApp({ runs: ended(100) });
  try {
    await page.goto(await linkTo(app));
    const list = runList(page);
    await expect(list.row('Completed').first()).toBeVisible();
    await list.grid.focus();
    /** How far the run is below what is seen of the list, px; it may be drawn a moment after the key. */
    const below = async (): Promise<number> => {
      const [active, grid] = [await list.active.boundingBox(), await list.grid.boundingBox()];
      return (active?.y ?? Infinity) + (active?.height ?? 0) - (grid?.y ?? 0) - (grid?.height ?? 0);
    };
    for (let steps = 1; steps <= 40; steps += 1) {
      await page.keyboard.press('j');
      await expect.poll(below).toBeLessThanOrEqual(0);
    }
    await page.keyboard.press('x');
    await expect(page.getByRole('toolbar', { name: 'Selected runs' })).toBeVisible();
    await expect.poll(below).toBeLessThanOrEqual(0);
  } finally {
    await app.close();
  }
});

test('the list ends with all that retention has removed, and the limits of its last removal', async ({
  page,
}) => {
  const runs = [...ended(1, 40), ...ended(2, 9).slice(1), ...ended(4, 2).slice(2)];
  const app = await startApp({ runs });
  try {
    await page.goto(await linkTo(app));
    const words = /1 older run was removed by retention, last on [\d-]+ [\d:]+ \(limit then: 30 days\)\.$/;
    await expect(page.getByText(words)).toBeVisible();
    await expect(page.getByRole('row')).toHaveCount(4);
    expect(await barriers(page)).toEqual([]);
    await app.handlers['settings.change']({ retention: { days: 7, gigabytes: 5 } });
    const later = /2 older runs were removed by retention, last on [\d-]+ [\d:]+ \(limit then: 7 days\)\.$/;
    await expect(page.getByText(later)).toBeVisible();
    const removed = { runs: 1204, lastAt: new Date().toISOString(), limits: { days: 1, gigabytes: 2.5 } };
    app.services.runs.retention.events.emit(removed);
    await expect(
      page.getByText(/^1,204 older runs were .* \(limits then: 1 day, 2\.5 GB\)\.$/),
    ).toBeVisible();
  } finally {
    await app.close();
  }
});

test('a list that retention has emptied says so, and not that there were never runs', async ({ page }) => {
  const app = await startApp({ runs: ended(2, 40) });
  try {
    await page.goto(await linkTo(app));
    await expect(page.getByRole('heading', { name: 'No runs left' })).toBeVisible();
    await expect(
      page.getByText(/2 older runs were removed by retention, .* \(limit then: 30 days\)/),
    ).toBeInViewport();
  } finally {
    await app.close();
  }
});

test(
  'a list of ten thousand runs draws only what is in sight, and is whole to its end',
  { tag: '@measured' },
  async ({ page }) => {
    const runs = ended(10_000);
    const app = await startApp({ runs });
    try {
      await page.goto(await linkTo(app));
      const list = runList(page);
      await expect(page.getByRole('button', { name: /^All/ })).toContainText('10,000');
      expect(await page.getByRole('row').count()).toBeLessThan(60);
      const { perSecond, costMs } = await scrollCost(page, list.grid, 400);
      process.stdout.write(
        `      10,000 runs scroll at ${perSecond.toFixed(0)} frames a second, ${costMs.toFixed(1)} ms each\n`,
      );
      expect(costMs).toBeLessThan(20);
      await list.grid.focus();
      await page.keyboard.press('End');
      await expect(page.locator(`#run-${runs[0]?.runId}`)).toBeInViewport();
      expect(await page.getByRole('row').count()).toBeLessThan(60);
      await page.getByRole('searchbox').fill('000000004242');
      await expect(page.getByRole('row')).toHaveCount(2);
    } finally {
      await app.close();
    }
  },
);

test('a run is deleted on its page, and selected runs in the list, each after a question', async ({
  app,
  page,
  enter,
}) => {
  const first = await app.run('quick', rows(2));
  const waiting = await app.run('waiting', rows(3));
  await app.handlers['run.label']({ runId: waiting, changes: { isPinned: true } });
  await expect.poll(async () => (await app.services.runs.get(first)).run.status).toBe('completed');
  await enter(`/runs/${first}`);
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Delete…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete the run of quick?' });
  await expect(dialog).toContainText(
    '2 rows are deleted with all results and traces. This cannot be undone.',
  );
  await expect(dialog).toContainText('Tests and row sets that were made from it stay.');
  expect(await barriers(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Delete the run' }).click();
  await expect(page).toHaveURL(/\/runs$/);
  const list = runList(page);
  await expect(list.row('waiting')).toHaveCount(1);
  await expect(list.row('quick')).toHaveCount(0);
  const attempt = await app.handlers['run.rerun']({
    runId: waiting,
    rows: { lines: '{"n":9}\n', numbers: [2] },
  });
  await enter(`/runs/${attempt.runId}`);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Delete…' }).click();
  const ofChain = page.getByRole('dialog', { name: 'Delete the run of waiting?' });
  await expect(ofChain.getByRole('radio', { name: 'The whole chain: 2 attempts, 3 rows' })).toBeChecked();
  await expect(ofChain).toContainText('3 rows are deleted');
  await ofChain.getByRole('radio', { name: 'Its newest attempt: 1 row. No row is open again' }).check();
  await expect(ofChain).toContainText('1 row is deleted');
  expect(await barriers(page)).toEqual([]);
  await ofChain.getByRole('button', { name: 'Cancel and delete' }).click();
  await expect(page).toHaveURL(/\/runs$/);
  await expect(list.row('waiting')).toHaveCount(1);
  await list.row('waiting').getByRole('checkbox').check();
  await page.getByRole('toolbar', { name: 'Selected runs' }).getByRole('button', { name: 'Delete…' }).click();
  const next = page.getByRole('dialog', { name: 'Delete the run of waiting?' });
  await expect(next).toContainText('Pinned, and deleted too');
  await next.getByRole('button', { name: 'Cancel and delete' }).click();
  await expect(list.row('waiting')).toHaveCount(0);
  await expect(app.services.runs.get(waiting)).rejects.toMatchObject({ code: 'run_not_found' });
});
