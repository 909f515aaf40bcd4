import { describe, expect, it } from 'vitest';
import { settingsChangeSchema } from '../../../src-main/domain/settings.ts';

const isTaken = (change: object): boolean => settingsChangeSchema.safeParse(change).success;

describe('a setting', () => {
  it.each(['x-acme', 'x-api-key', 'authorization', 'apikey', 'hostess'])('takes %s for keys', (name) => {
    expect(isTaken({ extraKeyHeader: name })).toBe(true);
  });

  it.each([
    'host',
    'content-type',
    'content-length',
    'user-agent',
    'connection',
    'transfer-encoding',
    'accept',
    'origin',
    'sec-fetch-site',
    'x-rowbench-token',
  ])('does not take the header %s for keys', (name) => {
    expect(isTaken({ extraKeyHeader: name })).toBe(false);
  });

  it.each([
    ['port', 65_535],
    ['maxBodyBytes', 100_000_000_000],
    ['maxRows', 100_000_000],
    ['rowTimeLimitMs', 3_600_000],
  ])('%s has a bound', (name, most) => {
    expect([isTaken({ [name]: most }), isTaken({ [name]: most + 1 })]).toEqual([true, false]);
  });

  it('bounds what is retained, and the hosts', () => {
    expect(isTaken({ retention: { days: 36_500, gigabytes: 0.1 } })).toBe(true);
    expect(isTaken({ retention: { days: 36_501, gigabytes: 1 } })).toBe(false);
    expect(isTaken({ retention: { days: 1, gigabytes: 100_001 } })).toBe(false);
    const hosts = (count: number): string[] => Array.from({ length: count }, () => 'box:65535');
    expect([isTaken({ allowedHosts: hosts(100) }), isTaken({ allowedHosts: hosts(101) })]).toEqual([
      true,
      false,
    ]);
    expect(isTaken({ allowedHosts: ['box:65536'] })).toBe(false);
  });
});

it('the interface’s own header is no second one', () => {
  expect(settingsChangeSchema.safeParse({ extraKeyHeader: 'x-service-key' }).success).toBe(false);
  for (const name of ['x-acme-key', null]) {
    expect(settingsChangeSchema.safeParse({ extraKeyHeader: name }).success).toBe(true);
  }
});
