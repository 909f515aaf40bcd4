import { describe, expect, it } from 'vitest';
import { emptyCassette, type CassetteEntry } from '../../../../src-main/domain/cassette/cassette.ts';
import { ResponseFinder } from '../../../../src-main/domain/cassette/find-response.ts';

const entry = (url: string, responses: readonly number[], site?: string): CassetteEntry => ({
  request: { method: 'GET', url },
  ...(site === undefined ? {} : { place: site }),
  responses: responses.map((status) => ({ status })),
});
const finder = (...entries: CassetteEntry[]): ResponseFinder =>
  new ResponseFinder({ ...emptyCassette, entries });
const at = (site: string, attempt = 1) => ({ site, attempt });
const url = 'https://api.example.com/x';
const request = { method: 'GET', url };

describe('a recorded answer', () => {
  it('is the one of the attempt, and the last for all after it', () => {
    const found = finder(entry(url, [429, 200]));
    const statuses = [1, 2, 3, 9].map((attempt) => found.find(request, at('a', attempt)));
    expect(statuses).toEqual([429, 200, 200, 200].map((status) => ({ status })));
  });

  it('is the one of its place, else the one for every place, else any', () => {
    const found = finder(entry(url, [201]), entry(url, [202], 'b'));
    expect([found.find(request, at('a')), found.find(request, at('b'))]).toEqual([
      { status: 201 },
      { status: 202 },
    ]);
    expect(finder(entry(url, [202], 'b')).find(request, at('a'))).toEqual({ status: 202 });
  });

  it('is none for a request that was not recorded', () => {
    expect(finder(entry(`${url}?q=1`, [200])).find(request, at('a'))).toBeUndefined();
  });
});

describe('a miss', () => {
  it('names what differs from the nearest request', () => {
    const found = finder(entry('https://other.example.com/', [200]), entry(`${url}?page=1`, [200]));
    expect(found.describeMiss({ method: 'GET', url: `${url}?page=2` })).toBe(
      'the nearest, GET https://api.example.com/x?page=…, differs in the query (page)',
    );
  });

  it('names what there is when nothing is near', () => {
    const paths = ['a', 'b', 'b?page=2', 'c', 'd'];
    const found = finder(...paths.map((path) => entry(`https://api.example.com/${path}`, [200])));
    expect(found.describeMiss({ method: 'GET', url })).toBe(
      'it has GET https://api.example.com/a, GET https://api.example.com/b, GET https://api.example.com/b?page=… and 2 more',
    );
    expect(finder().describeMiss(request)).toBe('it is empty');
  });
});
