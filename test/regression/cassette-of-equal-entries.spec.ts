// Each of many equal entries copied the list of those before it: 4 MB held the process for most of a minute.
import { expect, it } from 'vitest';
import { emptyCassette, type Cassette } from '../../src-main/domain/cassette/cassette.ts';
import { ResponseFinder } from '../../src-main/domain/cassette/find-response.ts';
import { Recording } from '../../src-main/domain/cassette/recording.ts';
import { recordedCall } from '../builders/recorded-call.ts';

const url = 'https://api.example.com/x';
const cassetteOf = (entries: number, more: (n: number) => object): Cassette => ({
  ...emptyCassette,
  entries: Array.from({ length: entries }, (_, n) => ({
    request: { method: 'GET', url },
    responses: [{ status: 200, text: String(n) }],
    ...more(n),
  })),
});

/** Processor time, in ms. */
const msOf = (act: () => void): number => {
  const from = process.cpuUsage();
  act();
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1000;
};

it('a cassette of 50,000 equal entries is played and recorded over in little time', () => {
  const cassette = cassetteOf(50_000, (n) => ({ place: `node${n}` }));
  const finder = new ResponseFinder(cassette);
  const request = { method: 'GET', url };
  const ms = msOf(() => {
    for (let n = 0; n < 1000; n += 1)
      expect(finder.find(request, { site: `node${n * 50}`, attempt: 1 })).toEqual({
        status: 200,
        text: String(n * 50),
      });
    expect(finder.find(request, { site: 'elsewhere', attempt: 1 })).toEqual({ status: 200, text: '0' });
    const recording = new Recording(cassette);
    recording.take(recordedCall({ request }));
    expect(recording.cassette().entries).toHaveLength(1);
  });
  expect(ms).toBeLessThan(3000);
});

it('a hundred misses of a large cassette are reported in little time', () => {
  const body = 'x'.repeat(10_000);
  const cassette = cassetteOf(2000, (n) => ({
    request: { method: 'POST', url: `${url}/${n}`, json: { n, body } },
  }));
  const finder = new ResponseFinder(cassette);
  const ms = msOf(() => {
    for (let n = 0; n < 100; n += 1)
      expect(finder.describeMiss({ method: 'POST', url: `${url}/0`, json: { n: -1, body } })).toBe(
        `the nearest, POST ${url}/0, differs in the body (n)`,
      );
  });
  expect(ms).toBeLessThan(3000);
});
