import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from './in-app.ts';

test('the page runs under its policy without a word of complaint', async ({ page, enter, app, problems }) => {
  await app.run('failing', [{ n: 1 }, { n: 2 }, { n: 3 }]);
  await enter();
  for (const screen of ['Runs', 'Workflows', 'Keys']) {
    await page.getByRole('navigation').getByRole('link', { name: screen }).click();
    await expect(page.getByRole('heading', { name: screen, level: 1 })).toBeVisible();
  }
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: 'Command' })).toBeFocused();
  expect(problems).toEqual([]);
});

test('no text can become script, markup or a call to elsewhere', async ({ page, enter }) => {
  await enter();
  await expect(page.getByRole('heading', { name: 'No runs yet' })).toBeVisible();
  // Later, not at once: what the browser's tools run themselves may evaluate text.
  const attempts = await page.evaluate(async () => {
    const attempt = (act: () => unknown): Promise<string> =>
      new Promise((resolve) => {
        setTimeout(() => {
          Promise.resolve()
            .then(act)
            .then(
              () => resolve('done'),
              (error: Error) => resolve(error.name),
            );
        }, 0);
      });
    const inline = document.createElement('script');
    const { trustedTypes } = window as unknown as {
      trustedTypes: { createPolicy(name: string, rules: object): unknown };
    };
    return {
      evaluate: await attempt(() => (0, eval)('1')),
      construct: await attempt(() => Reflect.construct(Function, ['return 1'])),
      timer: await attempt(() => (setTimeout as (code: string) => number)('globalThis.hacked = true')),
      markup: await attempt(() => (document.body.innerHTML = '<b>x</b>')),
      inline: await attempt(() => (inline.textContent = 'globalThis.hacked = true')),
      policy: await attempt(() => trustedTypes.createPolicy('mine', {})),
      again: await attempt(() => trustedTypes.createPolicy('svelte-trusted-html', {})),
      elsewhere: await attempt(() => fetch('http://127.0.0.1:9/')),
    };
  });
  expect(Object.values(attempts)).not.toContain('done');
});

const payloads = [
  '<img src=x onerror=globalThis.hacked=1>',
  '<script>globalThis.hacked=1</script>',
  '"><svg onload=globalThis.hacked=1>',
  "javascript:globalThis.hacked=1//'",
  '{{constructor.constructor("globalThis.hacked=1")()}}',
  '</title><script>globalThis.hacked=1</script>',
  '\u202Egnp.exe \u0000 مرحبا 你好 🦊',
];

test('names and errors are shown as the text that they are', async ({ app, page, enter, problems }) => {
  for (const name of payloads) await app.handlers['key.create']({ name, workflows: null });
  await enter('/keys');
  await expect(page.getByRole('cell', { name: payloads[0] ?? '', exact: true })).toBeVisible();
  await page.getByRole('button', { name: `Revoke the key ${payloads[0]}` }).click();
  await expect(page.getByRole('dialog')).toContainText(payloads[0] ?? '');
  expect(await page.evaluate(() => 'hacked' in globalThis)).toBe(false);
  expect(problems).toEqual([]);
});

test('no other site can frame the app or read from it', async ({ app, page }) => {
  const stranger = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html').end(`<iframe src="${app.url}/"></iframe>`);
  });
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
  const { port } = stranger.address() as AddressInfo;
  await page.goto(`http://127.0.0.1:${port}/`);
  const inner = page.frames().find((frame) => frame !== page.mainFrame());
  expect(await inner?.locator('#app').count()).toBe(0);
  const read = await page.evaluate(
    (url) =>
      fetch(`${url}/`).then(
        (answer) => answer.text(),
        () => 'refused',
      ),
    app.url,
  );
  expect(read).toBe('refused');
  stranger.closeAllConnections();
  await new Promise((resolve) => stranger.close(resolve));
});
