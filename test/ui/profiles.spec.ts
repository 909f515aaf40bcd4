// Profiles in the app: chosen for a run, shown with it, in the settings, and trusted.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { barriers, expect, test } from './in-app.ts';

const flow = `rowbench: 1
id: flow
vars: { base: https://a.example, tenant: null }
nodes:
  - { id: input, type: input, testRows: [{ n: 1 }] }
  - { id: call, type: http, request: { url: '{{ vars.base }}/x' }, mock: { ok: { status: 200, body: {} } } }
  - { id: out, type: output, fields: { got: =vars.tenant, status: =nodes.call.status } }
`;
const profiles = `staging: { vars: { base: https://s.example, tenant: test } }
live: { vars: { tenant: real } }
`;

test('a run has the profile that is chosen for it, and one that reaches further asks', async ({
  app,
  page,
  enter,
}) => {
  const folder = join(app.dataDir, 'workflows');
  await mkdir(join(folder, 'flow'));
  await writeFile(join(folder, 'flow', 'flow.workflow.yaml'), flow);
  await writeFile(join(folder, 'profiles.yaml'), profiles);
  await app.handlers['workflow.list']({});
  const { hash } = await app.handlers['workflow.show']({ workflowId: 'flow' });
  await app.handlers['workflow.trust']({ workflowId: 'flow', hash });

  await enter('/workflows/flow/run?rows=test');
  await page.getByRole('button', { name: /^Run options/ }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Run options' });
  await expect(dialog.getByLabel('Profile')).toHaveValue('');
  await dialog.getByLabel('Profile').selectOption('staging');
  await dialog.getByRole('radio', { name: /^Mocks/ }).check();
  expect(await barriers(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('button', { name: /^Run options/ })).toContainText('staging');
  await page.keyboard.press('Control+Enter');
  const header = page.getByRole('region', { name: 'This run' });
  await expect(header).toContainText('1 of 1 done');
  await page.getByRole('button', { name: 'Details of the run' }).click();
  const details = page.getByRole('dialog', { name: 'Details of the run' });
  await expect(details).toContainText('Profile staging');
  await expect(details).toContainText('https://s.example');
  expect(await barriers(page)).toEqual([]);
  await page.keyboard.press('Escape');

  // A profile that reaches further asks.
  await writeFile(join(folder, 'profiles.yaml'), profiles.replace('s.example', 'evil.example'));
  await enter('/workflows/flow?tab=access');
  const notice = page.getByRole('button', { name: /look and trust…$/ });
  await notice.click();
  const trust = page.getByRole('dialog', { name: 'Trust flow?' });
  await expect(trust).toContainText('With a profile it reaches further than what you trusted.');
  await expect(trust).toContainText('https://evil.example');
  expect(await barriers(page)).toEqual([]);
  await trust.getByRole('button', { name: 'Trust', exact: true }).click();
  await expect(notice).toBeHidden();

  await enter('/settings');
  await page.getByLabel('Profile', { exact: true }).fill('live');
  await page.keyboard.press('Enter');
  await expect(page.getByText('New runs have the profile live')).toBeVisible();
});

const priced = `rowbench: 1
id: priced
vars: { rate: 1 }
nodes:
  - { id: input, type: input, testRows: [{ n: 10 }] }
  - { id: out, type: output, fields: { got: =row.n * vars.rate } }
`;
const pricedTests = `rowbench: 1
tests:
  - { name: costs twenty, rows: [{ n: 10 }], expect: { status: completed, rows: [{ got: 20 }] } }
`;

test('the preview and the tests of a draft run with the profiles that are chosen for them', async ({
  app,
  page,
  enter,
  problems,
}) => {
  const folder = join(app.dataDir, 'workflows');
  await writeFile(join(folder, 'priced.workflow.yaml'), priced);
  await writeFile(join(folder, 'priced.tests.yaml'), pricedTests);
  await writeFile(
    join(folder, 'profiles.yaml'),
    'staging: { vars: { rate: 2 } }\nlive: { vars: { rate: 3 } }\n',
  );
  await app.handlers['settings.change']({ profile: 'live' });

  await enter('/workflows/priced/tests');
  const ofTests = page.getByLabel('Profile of the tests');
  const result = page.getByRole('tabpanel', { name: 'Tests' }).getByRole('status');
  await expect(ofTests).toHaveValue('');
  await expect(result).toContainText('1 test failed');
  await ofTests.selectOption('staging');
  await expect(result).toContainText('1 test passed');

  const ofPreview = page.getByLabel('Profile of the preview');
  const out = page.locator('[data-node=out]');
  await expect(ofPreview).toHaveValue('live');
  await expect(out).toContainText('got: 30');
  await expect(ofTests).toHaveValue('staging');
  await expect(result).toContainText('1 test passed');
  // The form of the workflow has the values of each profile, and leads to them.
  const byProfile = page.getByRole('region', { name: 'Values by profile' });
  await expect(byProfile.getByRole('columnheader')).toHaveText(['Variable', 'Default', 'staging', 'live']);
  await expect(byProfile.getByRole('row').last()).toHaveText(/rate\s*1\s*2\s*3/);
  await byProfile.getByRole('button', { name: 'rate in live: 3. Open profiles.yaml' }).press('Enter');
  const file = page.getByRole('textbox', { name: 'profiles.yaml' });
  await expect(file).toBeFocused();
  await page.keyboard.press('End');
  for (let left = ' } }'.length; left > 0; left -= 1) await page.keyboard.press('ArrowLeft');
  await page.keyboard.insertText('5');
  await expect(byProfile.getByRole('row').last()).toHaveText(/rate\s*1\s*2\s*35/);
  await page.keyboard.press('Control+z');
  await expect(byProfile.getByRole('row').last()).toHaveText(/rate\s*1\s*2\s*3$/);
  await ofPreview.selectOption('staging');
  await expect(out).toContainText('got: 20');
  await ofTests.selectOption('live');
  await expect(result).toContainText('1 test failed');
  expect(await barriers(page)).toEqual([]);

  // The row that differs is shown with the profile of the test.
  await page.getByRole('button', { name: /^Show row 1/ }).click();
  await expect(ofPreview).toHaveValue('live');
  await expect(out).toContainText('got: 30');

  // A test of a row says that tests have no profile of their own.
  const values = page.getByRole('region', { name: 'Values', exact: true });
  await values.getByRole('button', { name: 'Save as test…' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Save as test' });
  await expect(dialog).toContainText('The profile live gave this output.');
  expect(problems).toEqual([]);
});
