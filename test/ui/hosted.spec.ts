// Runs at a hosted service in the pages, against a service built from the interface document.
import { startFakeHosted } from '../builders/fake-hosted.ts';
import { hastyClock } from '../builders/hasty-clock.ts';
import { workflowText } from '../builders/workflow-text.ts';
import { barriersInBothThemes, expect, linkTo, startApp, test } from './in-app.ts';

const score = (row: Readonly<Record<string, unknown>>) => ({
  id: row['id'],
  score: Number(row['n'] ?? 0) * 2,
});

test('a connection is added and tested by keyboard, and its key is seen nowhere', async ({ page }) => {
  const service = await startFakeHosted({ sample: score }, { hasLimits: false });
  const app = await startApp({ workflows: { sample: workflowText('') }, clock: hastyClock(20) });
  try {
    const sent: string[] = [];
    page.on('response', (response) => {
      if (response.url().includes('/call/')) void response.text().then((text) => sent.push(text));
    });
    await page.goto(await linkTo(app, '/settings/hosted'));
    await page.getByRole('button', { name: 'Add a connection' }).press('Enter');
    await page.keyboard.type('prod');
    await page.keyboard.press('Tab');
    await page.keyboard.type(`${service.url}/api`);
    await page.keyboard.press('Tab');
    await page.keyboard.type('x-acme-key');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alert')).toContainText('give the origin alone');
    await expect(page.getByLabel('Key', { exact: true })).toBeHidden();
    await page.getByRole('textbox', { name: 'Address' }).fill(service.url);
    await page.keyboard.press('Enter');
    await expect(page.getByLabel('Key', { exact: true })).toBeFocused();
    await page.keyboard.type(service.key);
    await page.keyboard.press('Enter');
    const connection = page.getByRole('listitem', { name: 'prod' });
    await expect(connection).toContainText(service.url);
    await expect(connection).toContainText('50 % of the key’s limits');
    await page.getByRole('button', { name: 'Test prod' }).press('Enter');
    await page.getByRole('textbox', { name: 'Workflow at the service' }).press('Enter');
    await expect(page.getByRole('dialog').getByRole('status')).toContainText('Connected');
    expect(service.posts).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await barriersInBothThemes(page)).toEqual([]);
    expect(sent.join()).not.toContain(service.key);
    expect(await page.content()).not.toContain(service.key);
  } finally {
    await app.close();
    await service.close();
  }
});
