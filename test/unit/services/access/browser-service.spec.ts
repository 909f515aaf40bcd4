import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { silentLog } from '../../../../src-main/base/log.ts';
import { browserName } from '../../../../src-main/domain/paired-browser.ts';
import { BrowserService, maxBrowsers } from '../../../../src-main/services/access/browser-service.ts';
import { createStoreDeps } from '../../../../src-main/storage/durable/store-deps.ts';
import { openBrowsers } from '../../../../src-main/storage/documents/open-documents.ts';
import { FakeClock } from '../../../builders/fake-clock.ts';
import { temporaryFolder } from '../../../builders/temporary-folder.ts';

const day = 86_400_000;
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

async function openFolder(clock = new FakeClock()) {
  const folder = join(await temporaryFolder(), 'data');
  await mkdir(folder);
  const start = async () => {
    const document = await openBrowsers(createStoreDeps({ clock, log: silentLog }), folder);
    return new BrowserService({ document, clock, log: silentLog });
  };
  return { clock, start, read: () => readFile(join(folder, 'browsers.json'), 'utf8') };
}

describe('a paired browser', () => {
  it('gets in by its secret after a restart, with another token', async () => {
    const { start, read } = await openFolder();
    const first = await start();
    const { secret, token, browserId } = await first.pair(firefox);
    expect(first.browserOf(token)?.id).toBe(browserId);
    const second = await start();
    expect(second.folderId).toBe(first.folderId);
    expect(second.browserOf(token)).toBeUndefined();
    const session = second.open(secret);
    expect(session.browserId).toBe(browserId);
    expect(session.token).not.toBe(token);
    expect(second.browserOf(session.token)?.name).toBe('Firefox on Linux');
    const stored = await read();
    expect([secret, token, session.token].filter((each) => stored.includes(each))).toEqual([]);
  });

  it('has one token in all its tabs, and no access by its secret in place of the token', async () => {
    const { start } = await openFolder();
    const service = await start();
    const { secret, token } = await service.pair(firefox);
    expect(service.open(secret).token).toBe(token);
    expect(service.browserOf(secret)).toBeUndefined();
    expect(service.browserOf('')).toBeUndefined();
  });

  it('loses access at once when it is signed out, and for good', async () => {
    const { start } = await openFolder();
    const service = await start();
    const { secret, token, browserId } = await service.pair(firefox);
    const other = await service.pair(undefined);
    const ended: string[] = [];
    service.events.listen((id) => ended.push(id));
    await service.revoke(browserId);
    expect(ended).toEqual([browserId]);
    expect(service.browserOf(token)).toBeUndefined();
    expect(() => service.open(secret)).toThrow('This browser is signed out');
    expect(service.browserOf(other.token)?.name).toBe('A browser');
    await expect(service.revoke(browserId)).rejects.toMatchObject({ code: 'browser_not_found' });
    const again = await start();
    expect(() => again.open(secret)).toThrow('This browser is signed out');
  });

  it('has to be paired again after 30 unused days, and each use begins them anew', async () => {
    const { clock, start } = await openFolder();
    const service = await start();
    const { secret, token } = await service.pair(firefox);
    clock.advance(29 * day);
    service.open(secret);
    // The use is written in the background; a change of the document comes after it.
    await service.pair(undefined);
    clock.advance(29 * day);
    expect((await start()).open(secret).browserId).toBe(service.browserOf(token)?.id);
    clock.advance(31 * day);
    const later = await start();
    expect(() => later.open(secret)).toThrow('This browser is signed out');
    expect(later.list()).toEqual([]);
  });

  it('gives way to newer ones when there are too many', async () => {
    const { clock, start } = await openFolder();
    const service = await start();
    const { secret } = await service.pair(firefox);
    for (let index = 0; index < maxBrowsers; index += 1) {
      clock.advance(1000);
      await service.pair(firefox);
    }
    expect(service.list().length).toBe(maxBrowsers);
    expect(() => service.open(secret)).toThrow('This browser is signed out');
  });

  it('gets in until the server ends when its pairing cannot be stored', async () => {
    const value = { version: 1 as const, folderId: 'folder', browsers: [] };
    const document = {
      value,
      latest: async () => value,
      update: () => Promise.reject(new Error('no space left')),
    };
    const service = new BrowserService({ document, clock: new FakeClock(), log: silentLog });
    const { secret, token } = await service.pair(firefox);
    expect(service.open(secret).token).toBe(token);
    expect(service.browserOf(token)?.name).toBe('Firefox on Linux');
  });
});

it.each([
  [
    'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0',
    'Edge on Windows',
  ],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15) Version/18.0 Safari/605.1.15', 'Safari on macOS'],
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 HeadlessChrome/140.0 Safari/537.36',
    'Chrome on Linux',
  ],
  ['curl/8.0', 'A browser'],
  [undefined, 'A browser'],
])('a browser with the User-Agent %s is called %s', (userAgent, name) => {
  expect(browserName(userAgent)).toBe(name);
});
