import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { silentLog } from '../../../src-main/base/log.ts';
import { createKeySeal, keyStoreOf, keyStoreLabel } from '../../../src-main/desktop/key-seal.ts';
import { SecretService } from '../../../src-main/services/access/secret-service.ts';
import { openDataFolder } from '../../../src-main/storage/data-folder.ts';
import { electronDouble } from '../../builders/electron-double.ts';
import { FakeClock } from '../../builders/fake-clock.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

const secret = { name: 'TOKEN', value: 'a-value-that-nobody-knows', hosts: ['api.example.com'] };
const { safeStorage } = electronDouble().parts;

async function inFolder<T>(
  path: string,
  keySeal: Parameters<typeof openDataFolder>[0]['keySeal'],
  act: (secrets: SecretService) => Promise<T>,
): Promise<T> {
  const clock = new FakeClock();
  const folder = await openDataFolder({ path, keySeal, clock, log: silentLog });
  try {
    return await act(new SecretService({ ...folder.secrets, temporary: [], clock }));
  } finally {
    await folder.close();
  }
}

describe('with a key store', () => {
  const keySeal = createKeySeal(safeStorage, 'system');

  it('the key of the secrets is in no file as it is, and opens them after a restart', async () => {
    const path = await temporaryFolder();
    await inFolder(path, keySeal, (secrets) => secrets.set(secret));
    expect(await readFile(join(path, 'secrets.key'), 'utf8')).toMatch(/^sealed\./);
    expect(await inFolder(path, keySeal, (secrets) => secrets.find('TOKEN'))).toEqual(secret);
  });

  it('a process without it says so, and loses nothing', async () => {
    const path = await temporaryFolder();
    await inFolder(path, keySeal, (secrets) => secrets.set(secret));
    await expect(inFolder(path, undefined, (secrets) => secrets.find('TOKEN'))).rejects.toThrow(
      "the system's key store has its key",
    );
    expect(await inFolder(path, keySeal, (secrets) => secrets.find('TOKEN'))).toEqual(secret);
  });

  it('a key that the store does not open is reported and not replaced', async () => {
    const path = await temporaryFolder();
    await inFolder(path, keySeal, (secrets) => secrets.set(secret));
    const broken = { ...keySeal, open: () => Promise.reject(new Error('denied')) };
    const before = await readFile(join(path, 'secrets.key'), 'utf8');
    await expect(inFolder(path, broken, (secrets) => secrets.find('TOKEN'))).rejects.toThrow(
      'does not open it',
    );
    expect(await readFile(join(path, 'secrets.key'), 'utf8')).toBe(before);
  });

  it('a key that the command line made goes on working for both', async () => {
    const path = await temporaryFolder();
    await inFolder(path, undefined, (secrets) => secrets.set(secret));
    expect(await inFolder(path, keySeal, (secrets) => secrets.find('TOKEN'))).toEqual(secret);
    expect(await inFolder(path, undefined, (secrets) => secrets.find('TOKEN'))).toEqual(secret);
    await writeFile(join(path, 'secrets.key'), 'damaged');
    await expect(inFolder(path, keySeal, (secrets) => secrets.find('TOKEN'))).rejects.toThrow('damaged');
  });
});

describe('without a key store', () => {
  it.each([
    ['a known password for all', 'linux', 'basic_text', true],
    ['an unknown one', 'linux', 'unknown', true],
    ['one that does not answer', 'darwin', 'gnome_libsecret', false],
  ] as const)('%s counts as none, and a message says so', async (_, platform, backend, isAvailable) => {
    const double = electronDouble();
    double.safeStorage.backend = backend;
    double.safeStorage.isAvailable = isAvailable;
    const store = await keyStoreOf(double.parts.safeStorage, platform);
    expect(store).toBe('none');
    expect(keyStoreLabel(store)).toContain('can read your secrets');
    expect(await createKeySeal(double.parts.safeStorage, store).seal('x')).toBeUndefined();
  });

  it('a real one is used', async () => {
    expect(await keyStoreOf(safeStorage, 'linux')).toBe('system');
  });
});
