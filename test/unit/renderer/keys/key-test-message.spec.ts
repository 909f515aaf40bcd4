import { describe, expect, it } from 'vitest';
import type { KeyTestView } from '../../../../src-main/contract/index.ts';
import { keyTestMessage } from '../../../../src-renderer/state/keys/key-test-message.ts';

const tested = { workflowId: 'echo', runId: '' };
const key = { name: 'CI', workflows: null, revokedAt: null };
const words = (view: Partial<KeyTestView>, header?: string) =>
  keyTestMessage({ status: 401, body: '{}', ...view }, tested, header);

describe('the words on a key that was tried out', () => {
  it('say of one that passes what the call would do', () => {
    expect(words({ status: 201, key })).toEqual({
      tone: 'good',
      title: '201 Created',
      why: '“CI” has access to echo: a call like this starts a run.',
    });
  });

  it('tell a revoked key from a mistyped and from a foreign one', () => {
    const refusal = 'invalid_key';
    const revoked = { ...key, revokedAt: '2026-01-01T00:00:00.000Z' };
    expect(words({ refusal, key: revoked }).why).toBe('“CI” was revoked.');
    expect(words({ refusal, meant: { isKeyWithoutBlanks: true } }).why).toContain('spaces');
    expect(words({ refusal }, 'x-other-key').advice).toContain('x-service-key or x-other-key');
  });

  it('name what a key does open, and what was likely meant', () => {
    const scoped = { ...key, workflows: ['a', 'b'] };
    expect(words({ status: 403, refusal: 'key_not_allowed', key: scoped })).toMatchObject({
      tone: 'bad',
      title: '403 Forbidden',
      why: '“CI” has access only to a, b.',
    });
    expect(
      words({ status: 404, refusal: 'workflow_not_found', key, meant: { workflowId: 'ecco' } }).advice,
    ).toBe('Did you mean “ecco”?');
  });

  it('have something to say for every other refusal', () => {
    for (const refusal of [
      'workflow_untrusted',
      'run_not_found',
      'workflow_invalid',
      'rate_limited',
      'store_degraded',
    ] as const)
      expect(words({ status: 503, refusal }).why).not.toBe('');
  });
});
