import { describe, expect, it } from 'vitest';
import { silentLog } from '../../../../src-main/base/log.ts';
import { mayUse, type ApiKey } from '../../../../src-main/domain/keys/api-key.ts';
import { KeyService } from '../../../../src-main/services/access/key-service.ts';
import { openDataFolder } from '../../../../src-main/storage/data-folder.ts';
import type { FileSystem } from '../../../../src-main/files/file-system.ts';
import { nodeFileSystem } from '../../../../src-main/files/node-file-system.ts';
import { FakeClock } from '../../../builders/fake-clock.ts';
import { FaultyFileSystem } from '../../../builders/faulty-file-system.ts';
import { temporaryFolder } from '../../../builders/temporary-folder.ts';

const start = '2026-01-01T00:00:00.000Z';
const minute = 60_000;

type Options = { readonly path?: string; readonly fileSystem?: FileSystem; readonly fixedKey?: string };

async function openKeys({ path, fileSystem = nodeFileSystem, ...options }: Options = {}) {
  const clock = new FakeClock(Date.parse(start));
  const where = path ?? (await temporaryFolder());
  const folder = await openDataFolder({ path: where, clock, log: silentLog, fileSystem });
  const keys = new KeyService({ document: folder.keys, clock, log: silentLog, ...options });
  const events: ApiKey[] = [];
  keys.events.listen((id) => events.push(keys.show(id)));
  /** Keys in the document that a restart would read. */
  const stored = () => folder.keys.value.keys;
  const close = async (): Promise<void> => {
    await keys.close();
    await folder.close();
  };
  return { keys, clock, events, stored, close, path: where };
}

const refusal = (code: string) => expect.objectContaining({ code }) as unknown;

describe('a new key', () => {
  it('is a long random text that only its maker sees', async () => {
    const { keys, stored, events } = await openKeys();
    const { key, secret } = await keys.create({ name: 'CI', workflows: null });
    expect(secret).toMatch(/^rbk_[\w-]{43}$/);
    expect(key).toEqual({
      id: key.id,
      name: 'CI',
      hash: key.hash,
      last4: secret.slice(-4),
      workflows: null,
      createdAt: start,
      lastUsedAt: null,
      calls: 0,
      revokedAt: null,
    });
    expect(stored()).toEqual([key]);
    expect(events).toEqual([key]);
    expect(JSON.stringify([stored(), events, keys.list()])).not.toContain(secret);
    const other = await keys.create({ name: 'CI', workflows: null });
    expect(other.secret).not.toBe(secret);
    expect(other.key.id).not.toBe(key.id);
  });

  it('opens the workflows that it names, or all', async () => {
    const { keys } = await openKeys();
    const some = (await keys.create({ name: 'some', workflows: ['echo', 'score'] })).key;
    const all = (await keys.create({ name: 'all', workflows: null })).key;
    const none = (await keys.create({ name: 'none', workflows: [] })).key;
    const open = (key: ApiKey): boolean[] => ['echo', 'score', 'other'].map((id) => mayUse(key, id));
    expect([some, all, none].map(open)).toEqual([
      [true, true, false],
      [true, true, true],
      [false, false, false],
    ]);
  });

  it('has a name of 1 to 100 characters, or is not made', async () => {
    const first = await openKeys();
    const names = ['n', 'n'.repeat(100)];
    for (const name of names) await first.keys.create({ name, workflows: null });
    for (const name of ['', 'n'.repeat(101)])
      await expect(first.keys.create({ name, workflows: null }), name).rejects.toThrow();
    await first.close();
    const { keys } = await openKeys({ path: first.path });
    expect(keys.list().map(({ name }) => name)).toEqual(names);
  });

  it('is there after a restart', async () => {
    const first = await openKeys();
    const { secret, key } = await first.keys.create({ name: 'kept', workflows: null });
    await first.close();
    const { keys } = await openKeys({ path: first.path });
    expect((await keys.verify(secret)).id).toBe(key.id);
  });
});

describe('what is presented', () => {
  it('passes only when it is a live key, to the last letter', async () => {
    const { keys } = await openKeys();
    const { key, secret } = await keys.create({ name: 'one', workflows: null });
    const second = await keys.create({ name: 'two', workflows: null });
    expect((await keys.verify(secret)).id).toBe(key.id);
    expect((await keys.verify(second.secret)).id).toBe(second.key.id);
    const wrong = [
      undefined,
      '',
      secret.slice(0, -1),
      `${secret}x`,
      ` ${secret}`,
      key.hash,
      key.id,
      key.last4,
    ];
    for (const text of wrong)
      await expect(keys.verify(text), String(text)).rejects.toThrow(refusal('invalid_key'));
  });

  it('is not even hashed when it is longer than 512 characters', async () => {
    const fits = 'k'.repeat(512);
    expect((await (await openKeys({ fixedKey: fits })).keys.recognise(fits))?.name).toBe('ROWBENCH_API_KEY');
    const tooLong = 'k'.repeat(513);
    expect(await (await openKeys({ fixedKey: tooLong })).keys.recognise(tooLong)).toBeUndefined();
  });

  it('may be as short as a letter, but not empty', async () => {
    expect((await (await openKeys({ fixedKey: 'k' })).keys.recognise('k'))?.name).toBe('ROWBENCH_API_KEY');
    expect(await (await openKeys({ fixedKey: '' })).keys.recognise('')).toBeUndefined();
  });

  it('is recognised though revoked, which notes no use', async () => {
    const { keys, events } = await openKeys();
    const { key, secret } = await keys.create({ name: 'one', workflows: null });
    await keys.revoke(key.id);
    events.length = 0;
    expect((await keys.recognise(secret))?.revokedAt).toBe(start);
    await expect(keys.verify(secret)).rejects.toThrow(refusal('invalid_key'));
    await expect(keys.use(key.id)).rejects.toThrow(refusal('invalid_key'));
    expect(events).toEqual([]);
    expect(keys.list()).toEqual([expect.objectContaining({ calls: 0, lastUsedAt: null })]);
  });

  it('is called in its name by its id alone', async () => {
    const { keys } = await openKeys();
    const first = (await keys.create({ name: 'one', workflows: null })).key;
    const second = (await keys.create({ name: 'two', workflows: null })).key;
    expect((await keys.use(second.id)).name).toBe('two');
    expect(keys.list().map(({ calls }) => calls)).toEqual([0, 1]);
    await expect(keys.use('unknown')).rejects.toThrow(refusal('invalid_key'));
    expect((await keys.use(first.id)).name).toBe('one');
  });
});

describe('a key that is given from outside', () => {
  it('opens everything, comes first in the list and is stored nowhere', async () => {
    const { keys, stored, close } = await openKeys({ fixedKey: 'given-by-ci' });
    await keys.create({ name: 'made here', workflows: null });
    expect(await keys.verify('given-by-ci')).toMatchObject({
      name: 'ROWBENCH_API_KEY',
      last4: 'y-ci',
      workflows: null,
    });
    expect(keys.list()).toEqual([
      expect.objectContaining({ name: 'ROWBENCH_API_KEY', createdAt: start, calls: 1, revokedAt: null }),
      expect.objectContaining({ name: 'made here', calls: 0 }),
    ]);
    const [fixed] = keys.list();
    await expect(keys.revoke(fixed?.id ?? '')).rejects.toThrow(refusal('key_not_found'));
    await close();
    expect(stored().map(({ name }) => name)).toEqual(['made here']);
  });

  it('has had no call before its first', async () => {
    const { keys } = await openKeys({ fixedKey: 'given-by-ci' });
    expect(keys.list()).toEqual([expect.objectContaining({ calls: 0, lastUsedAt: null })]);
  });
});

describe('a key that is looked at', () => {
  it('is the one with that id, or none', async () => {
    const { keys } = await openKeys();
    await keys.create({ name: 'one', workflows: null });
    const two = (await keys.create({ name: 'two', workflows: null })).key;
    expect(keys.show(two.id)).toEqual(two);
    expect(() => keys.show('unknown')).toThrow(refusal('key_not_found'));
  });
});

describe('revoking', () => {
  it('ends that key and no other, is published once it is stored, and keeps its first time', async () => {
    const { keys, clock, events, stored } = await openKeys();
    const one = await keys.create({ name: 'one', workflows: null });
    const two = await keys.create({ name: 'two', workflows: null });
    await keys.verify(one.secret);
    events.length = 0;
    clock.advance(1000);
    const revoked = await keys.revoke(one.key.id);
    const at = '2026-01-01T00:00:01.000Z';
    expect(revoked).toMatchObject({ id: one.key.id, revokedAt: at, calls: 1, lastUsedAt: start });
    expect(events).toEqual([revoked]);
    expect(stored().map(({ revokedAt }) => revokedAt)).toEqual([at, null]);
    expect((await keys.verify(two.secret)).name).toBe('two');
    clock.advance(1000);
    expect((await keys.revoke(one.key.id)).revokedAt).toBe(at);
  });

  it('of a key that is not there is refused', async () => {
    const { keys, events } = await openKeys();
    await keys.create({ name: 'one', workflows: null });
    events.length = 0;
    await expect(keys.revoke('unknown')).rejects.toThrow(refusal('key_not_found'));
    expect(events).toEqual([]);
  });
});

describe('uses of a key', () => {
  it('are counted and published at once, and stored a minute after the first', async () => {
    const { keys, clock, events, stored } = await openKeys();
    const { secret } = await keys.create({ name: 'one', workflows: null });
    events.length = 0;
    await keys.verify(secret);
    clock.advance(1000);
    await keys.verify(secret);
    const used = { calls: 2, lastUsedAt: '2026-01-01T00:00:01.000Z' };
    expect(events.map(({ calls }) => calls)).toEqual([1, 2]);
    expect(keys.list()).toEqual([expect.objectContaining(used)]);
    clock.advance(minute - 1001);
    expect(clock.pending).toBe(1);
    expect(stored()).toEqual([expect.objectContaining({ calls: 0, lastUsedAt: null })]);
    clock.advance(1);
    await expect.poll(() => stored()[0]).toMatchObject(used);
    expect(keys.list()).toEqual([expect.objectContaining(used)]);
    await keys.verify(secret);
    clock.advance(minute);
    await expect.poll(() => stored()[0]?.calls).toBe(3);
  });

  it('are stored when the keys are closed, and no timer is left', async () => {
    const { keys, clock, path, close } = await openKeys();
    const { secret } = await keys.create({ name: 'one', workflows: null });
    const idle = await keys.create({ name: 'idle', workflows: null });
    await keys.verify(secret);
    await close();
    expect(clock.pending).toBe(0);
    const again = await openKeys({ path });
    expect(again.keys.list()).toEqual([
      expect.objectContaining({ name: 'one', calls: 1, lastUsedAt: start }),
      idle.key,
    ]);
    await again.keys.verify(secret);
    expect(again.keys.list()[0]).toMatchObject({ calls: 2 });
  });

  it('never seem fewer while they are written', async () => {
    const { keys, close } = await openKeys();
    const { secret } = await keys.create({ name: 'one', workflows: null });
    await keys.verify(secret);
    const closing = close();
    expect(keys.list()[0]?.calls).toBe(1);
    await closing;
    expect(keys.list()[0]?.calls).toBe(1);
  });

  it('are written once, and nothing is written where there were none', async () => {
    const fileSystem = new FaultyFileSystem();
    const { keys } = await openKeys({ fileSystem });
    const { secret } = await keys.create({ name: 'one', workflows: null });
    const written = async (): Promise<number> => {
      const before = fileSystem.calls.length;
      await keys.close();
      return fileSystem.calls.length - before;
    };
    expect(await written()).toBe(0);
    await keys.verify(secret);
    expect(await written()).toBeGreaterThan(0);
    expect(await written()).toBe(0);
  });

  it('are not forgotten when they cannot be written', async () => {
    const fileSystem = new FaultyFileSystem();
    const { keys } = await openKeys({ fileSystem });
    const { secret } = await keys.create({ name: 'one', workflows: null });
    await keys.verify(secret);
    fileSystem.plan = { fault: 'EIO', at: fileSystem.calls.length + 1, times: 1 };
    await expect(keys.close()).rejects.toThrow(refusal('store_degraded'));
    await expect(keys.close()).rejects.toThrow(refusal('store_degraded'));
    expect(keys.list()[0]?.calls).toBe(1);
  });

  it('that are being written when the keys are closed are waited for', async () => {
    const { keys, clock, stored } = await openKeys();
    const { secret } = await keys.create({ name: 'one', workflows: null });
    await keys.verify(secret);
    clock.advance(minute);
    expect(stored()[0]?.calls).toBe(0);
    await keys.close();
    expect(stored()[0]?.calls).toBe(1);
  });
});
