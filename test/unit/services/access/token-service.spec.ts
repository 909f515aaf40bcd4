import { describe, expect, it } from 'vitest';
import { silentLog } from '../../../../src-main/base/log.ts';
import { TokenService } from '../../../../src-main/services/access/token-service.ts';
import { tokensDocument } from '../../../../src-main/storage/documents/document-definitions.ts';
import { FakeClock } from '../../../builders/fake-clock.ts';
import { memoryDocument } from '../../../builders/small-control.ts';

const day = 86_400_000;

function openTokens() {
  const clock = new FakeClock();
  const document = memoryDocument(tokensDocument.initial());
  const open = () => new TokenService({ document, clock, log: silentLog });
  const isoIn = (ms: number): string => new Date(clock.now() + ms).toISOString();
  return { clock, document, open, tokens: open(), isoIn };
}

const operator = { name: 'ada', role: 'operator', expiresAt: null, createdBy: 'root' } as const;

describe('an access token', () => {
  it('is shown once, and stored as a hash', async () => {
    const { tokens, document } = openTokens();
    const { token, secret } = await tokens.create(operator);
    expect(secret).toMatch(/^rbt_[\w-]{43}$/);
    expect(await tokens.verify(secret)).toMatchObject({ id: token.id, role: 'operator', createdBy: 'root' });
    expect(JSON.stringify(document.value)).not.toContain(secret.slice(4));
    expect(JSON.stringify(await tokens.list())).not.toContain(secret.slice(4));
  });

  it.each(['', 'rbt_', 'x'.repeat(513), 'rbt_é'])('is not the text %j', async (presented) => {
    const { tokens } = openTokens();
    await tokens.create(operator);
    expect(await tokens.verify(presented)).toBeUndefined();
  });

  it('is not its own hash, and not another letter case of itself', async () => {
    const { tokens } = openTokens();
    const { token, secret } = await tokens.create(operator);
    for (const presented of [token.hash, secret.toUpperCase(), `${secret} `, secret.slice(0, -1)])
      expect(await tokens.verify(presented)).toBeUndefined();
  });

  it('ends at its expiry, to the millisecond', async () => {
    const { tokens, clock, isoIn } = openTokens();
    const { token, secret } = await tokens.create({ ...operator, expiresAt: isoIn(90 * day) });
    clock.advance(90 * day - 1);
    expect(await tokens.verify(secret)).toMatchObject({ id: token.id });
    clock.advance(1);
    expect(await tokens.verify(secret)).toBeUndefined();
    expect(await tokens.use(token.id)).toBeUndefined();
    await expect(tokens.create({ ...operator, expiresAt: isoIn(0) })).rejects.toThrow(
      'The expiry of a token must be in the future',
    );
  });

  it('ends when it is revoked, for good', async () => {
    const { tokens, clock } = openTokens();
    const { token, secret } = await tokens.create(operator);
    const revoked = await tokens.revoke(token.id);
    clock.advance(day);
    expect(await tokens.revoke(token.id)).toEqual(revoked);
    expect(await tokens.verify(secret)).toBeUndefined();
    await expect(tokens.revoke('none')).rejects.toMatchObject({ code: 'token_not_found' });
  });

  it('shows its last use at once, and stores it once a minute', async () => {
    const { tokens, document, clock, open } = openTokens();
    const { secret } = await tokens.create(operator);
    let writes = 0;
    const counted = new TokenService({
      document: {
        get value() {
          return document.value;
        },
        latest: () => document.latest(),
        update: (change) => {
          writes += 1;
          return document.update(change);
        },
      },
      clock,
      log: silentLog,
    });
    for (let call = 0; call < 60; call += 1) {
      clock.advance(1_000);
      await counted.verify(secret);
    }
    expect(writes).toBe(1);
    expect((await counted.list())[0]?.lastUsedAt).toBe(new Date(clock.now()).toISOString());
    expect((await open().list())[0]?.lastUsedAt).toBe(new Date(clock.now() - 59_000).toISOString());
  });

  it('of a new server is the first admin’s, made once until no admin can sign in', async () => {
    const { tokens } = openTokens();
    await tokens.create(operator);
    const made = await Promise.all([tokens.createFirstToken(), tokens.createFirstToken()]);
    const [first, ...others] = made.filter((each) => each !== undefined);
    expect(first?.token).toMatchObject({ role: 'admin', expiresAt: null, createdBy: null });
    expect(others).toEqual([]);
    await tokens.revoke(first?.token.id ?? '');
    expect((await tokens.createFirstToken())?.token.role).toBe('admin');
  });
});
