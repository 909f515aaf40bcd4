import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { rawCall } from '../../builders/raw-http.ts';
import { rawGet } from '../../builders/small-server.ts';
import { startTestApp } from '../../builders/start-test-app.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

async function start() {
  const folder = await temporaryFolder();
  const pagesFolder = join(folder, 'pages');
  await mkdir(join(pagesFolder, 'assets'), { recursive: true });
  await writeFile(join(folder, 'secret.txt'), 'secret');
  await writeFile(join(pagesFolder, 'index.html'), '<!doctype html>');
  await writeFile(join(pagesFolder, 'icon.svg'), '<svg/>');
  await writeFile(join(pagesFolder, 'assets', 'index-Bn3mMrZM.js'), 'export {};');
  const app = await startTestApp({ workflows: {}, pagesFolder });
  onTestFinished(() => app.close());
  const get = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${app.url}${path}`, init);
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  return { app, get };
}

describe('the pages', () => {
  it.each([
    '/',
    '/runs',
    '/runs/0193?x=1',
    '/workflows',
    '/keys',
    '/settings/limits',
    '/log',
    '/runs?q=a',
    '/runs/0193/outputs',
  ])('have one document for %s', async (path) => {
    const { get } = await start();
    const { status, headers, text } = await get(path);
    expect([status, text]).toEqual([200, '<!doctype html>']);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('keep what is named after its content for ever, and nothing else', async () => {
    const { get } = await start();
    const script = await get('/assets/index-Bn3mMrZM.js');
    expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect((await get('/icon.svg')).headers.get('cache-control')).toBe('no-store');
  });

  it('let nothing run or load but their own files', async () => {
    const { get } = await start();
    for (const path of ['/', '/assets/index-Bn3mMrZM.js']) {
      const { headers } = await get(path);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
          "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
          "require-trusted-types-for 'script'; trusted-types svelte-trusted-html",
      );
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('set-cookie')).toBeNull();
    }
  });

  it.each(['/assets/', '/assets', '/index.html', '/nothing', '/runs/a/b/c', '/favicon.ico'])(
    'are not at %s, where scripts get their JSON',
    async (path) => {
      const { get } = await start();
      const { status, text } = await get(path);
      expect([status, text]).toEqual([404, '{"success":false,"error":"Not found"}']);
    },
  );

  it.each([
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/%2e%2e/secret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '//secret.txt',
  ])('lead to no file beside them: %s', async (path) => {
    const { app } = await start();
    const answer = await rawCall(app.port, rawGet(app.port, path, ['Connection: close']));
    expect(answer?.status).toBe(404);
  });

  it('are for no other site, and take GET and HEAD alone', async () => {
    const { get } = await start();
    expect((await get('/', { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(403);
    const posted = await get('/', { method: 'POST' });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    const head = await get('/', { method: 'HEAD' });
    expect([head.status, head.text]).toEqual([200, '']);
  });

  it('are not there where none were built', async () => {
    const app = await startTestApp({ workflows: {}, pagesFolder: join(await temporaryFolder(), 'none') });
    onTestFinished(() => app.close());
    expect((await app.call('/')).status).toBe(404);
  });
});
