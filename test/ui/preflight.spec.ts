import { barriers, expect, linkTo, startApp, test } from './in-app.ts';

const calling = `rowbench: 1
id: calling
name: Enrich contacts
nodes:
  - { id: input, type: input }
  - id: call
    type: http
    request: { url: http://127.0.0.1:9/x }
    auth: { secret: CRM_TOKEN }
  - { id: result, type: output, fields: { status: =nodes.call.status } }
`;

test('what a workflow lacks is said before its first run, and fixed in place by keyboard', async ({
  page,
}) => {
  const app = await startApp({ workflows: { calling } });
  try {
    await page.goto(await linkTo(app, '/workflows/calling/run'));
    const before = page.getByRole('region', { name: 'Before it can run' });
    await expect(before).toContainText('The secret CRM_TOKEN is not stored.');
    await expect(before).toContainText('Calls to http://127.0.0.1:9 are not allowed');
    expect(await barriers(page)).toEqual([]);

    await before.getByRole('button', { name: 'Add CRM_TOKEN…' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Add a secret' });
    await expect(dialog.getByLabel('Name')).toHaveValue('CRM_TOKEN');
    await expect(dialog.getByLabel('Sent only to')).toHaveValue('127.0.0.1:9');
    await expect(dialog.getByLabel('Value')).toBeFocused();
    await page.keyboard.type('a-long-value');
    await page.keyboard.press('Enter');
    await expect(before).not.toContainText('CRM_TOKEN');

    await page.goto(`${app.url}/workflows/calling`);
    const missing = page.getByRole('button', { name: '1 before it can run' });
    await missing.click();
    await page.getByRole('button', { name: 'Allow…' }).press('Enter');
    const question = page.getByRole('dialog', { name: 'Allow calls to this machine?' });
    await expect(question).toContainText('may then call any address of this machine (localhost, 127.x)');
    await expect(question).toContainText('http://127.0.0.1:9');
    expect(await barriers(page)).toEqual([]);
    await question.getByRole('button', { name: 'Allow' }).press('Enter');
    await expect(missing).toBeHidden();
  } finally {
    await app.close();
  }
});

test('a run that failed for want of a secret offers to add it', async ({ page }) => {
  const app = await startApp({ workflows: { calling } });
  try {
    const runId = await app.run('calling', [{ a: 1 }]);
    await page.goto(await linkTo(app, `/runs/${runId}/why`));
    await page.getByRole('button', { name: 'Add CRM_TOKEN…' }).click();
    await expect(page.getByRole('dialog', { name: 'Add a secret' })).toBeVisible();
  } finally {
    await app.close();
  }
});
