import { stat, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { silentLog } from '../../../../src-main/base/log.ts';
import type { Secret } from '../../../../src-main/domain/secrets/secret.ts';
import { SecretService } from '../../../../src-main/services/access/secret-service.ts';
import { openDataFolder } from '../../../../src-main/storage/data-folder.ts';
import { FakeClock } from '../../../builders/fake-clock.ts';
import { temporaryFolder } from '../../../builders/temporary-folder.ts';

const token = { name: 'TOKEN', value: 'a-value-that-nobody-knows', hosts: ['api.example.com'] };

async function openSecrets(path: string, fixed: readonly Secret[] = []) {
  const clock = new FakeClock();
  const folder = await openDataFolder({ path, clock, log: silentLog });
  const secrets = new SecretService({ ...folder.secrets, temporary: fixed, clock });
  return { secrets, folder };
}

async function allText(path: string): Promise<string> {
  const files = (await readdir(path, { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  );
  return (await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), 'latin1')))).join(
    '\n',
  );
}

describe('a stored secret', () => {
  it('is found again after a restart, and listed without its value', async () => {
    const path = await temporaryFolder();
    const first = await openSecrets(path);
    const view = await first.secrets.set(token);
    expect(JSON.stringify(view)).not.toContain(token.value);
    await first.folder.close();
    const { secrets } = await openSecrets(path);
    expect(await secrets.find('TOKEN')).toEqual(token);
    expect(await secrets.find('OTHER')).toBeUndefined();
    expect(secrets.list()).toEqual([view]);
  });

  it('is in no file of the folder, plain or encoded, and its files are for their owner alone', async () => {
    const path = await temporaryFolder();
    const { secrets } = await openSecrets(path);
    await secrets.set(token);
    const text = await allText(path);
    for (const form of ['utf8', 'base64', 'hex', 'base64url'] as const)
      expect(text).not.toContain(Buffer.from(token.value).toString(form));
    for (const name of ['secrets.json', 'secrets.key'])
      expect((await stat(join(path, name))).mode & 0o777).toBe(0o600);
  });

  it('that is replaced or removed is gone from the generation before, too', async () => {
    const path = await temporaryFolder();
    const { secrets, folder } = await openSecrets(path);
    await secrets.set(token);
    const sealed = folder.secrets.document.value.secrets[0]?.sealed ?? '';
    await secrets.set({ ...token, value: 'another-value' });
    expect(await allText(path)).not.toContain(sealed);
    expect((await secrets.find('TOKEN'))?.value).toBe('another-value');
    await secrets.remove('TOKEN');
    expect(await allText(path)).not.toContain('TOKEN');
    await expect(secrets.remove('TOKEN')).rejects.toMatchObject({ code: 'secret_not_found' });
  });

  it('does not open for hosts, or under a name, that were written into the file', async () => {
    const path = await temporaryFolder();
    const first = await openSecrets(path);
    await first.secrets.set(token);
    await first.folder.close();
    const file = join(path, 'secrets.json');
    // A user who edits the file also removes the checksum, which would no longer match.
    const { checksum, ...document } = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
    expect(checksum).toMatch(/^[0-9a-f]{8}$/);
    const text = JSON.stringify(document);
    await writeFile(file, text.replace('api.example.com', 'evil.example.com'));
    const second = await openSecrets(path);
    await expect(second.secrets.find('TOKEN')).rejects.toMatchObject({ code: 'data_unreadable' });
    await second.folder.close();
    await writeFile(file, text.replace('TOKEN', 'OTHER'));
    await expect((await openSecrets(path)).secrets.find('OTHER')).rejects.toMatchObject({
      code: 'data_unreadable',
    });
  });

  it('whose key is lost or damaged does not open; a damaged key is never replaced', async () => {
    const path = await temporaryFolder();
    const { secrets } = await openSecrets(path);
    await secrets.set(token);
    await writeFile(join(path, 'secrets.key'), 'short');
    await expect(secrets.find('TOKEN')).rejects.toMatchObject({ code: 'data_unreadable' });
    await expect(secrets.set(token)).rejects.toMatchObject({ code: 'data_unreadable' });
    expect(await readFile(join(path, 'secrets.key'), 'utf8')).toBe('short');
    await rm(join(path, 'secrets.key'));
    await expect(secrets.find('TOKEN')).rejects.toMatchObject({ code: 'data_unreadable' });
    await secrets.set(token);
    expect((await secrets.find('TOKEN'))?.value).toBe(token.value);
  });

  it('many are stored at once with one key', async () => {
    const { secrets } = await openSecrets(await temporaryFolder());
    const names = Array.from({ length: 20 }, (_, n) => `S${n}`);
    await Promise.all(names.map((name) => secrets.set({ ...token, name, value: `value of ${name}` })));
    for (const name of names) expect((await secrets.find(name))?.value).toBe(`value of ${name}`);
  });
});

it('a secret that the process was started with goes before a stored one, and is not stored', async () => {
  const path = await temporaryFolder();
  const fixed = { name: 'TOKEN', value: 'given-to-the-process', hosts: ['h'] };
  const { secrets } = await openSecrets(path, [fixed]);
  await secrets.set(token);
  expect(await secrets.find('TOKEN')).toEqual(fixed);
  expect(secrets.list()).toEqual([{ name: 'TOKEN', hosts: ['h'], createdAt: null }]);
  expect(await allText(path)).not.toContain(fixed.value);
});
