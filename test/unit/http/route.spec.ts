import { describe, expect, it } from 'vitest';
import { findRoute, type Route } from '../../../src-main/http/route.ts';
import { pathPart } from '../../../src-main/http/public-api/call-facts.ts';

const route = (method: Route['method'], path: RegExp): Route => ({
  method,
  path,
  answer: async () => undefined,
});
const read = route('GET', /^\/sets\/([^/]+)$/);
const write = route('POST', /^\/sets\/([^/]+)$/);
const list = route('GET', /^\/sets$/);
const routes = [read, write, list];

describe('a route', () => {
  it('is found by its path and method, with what the path names', () => {
    expect(findRoute(routes, '/sets/a%20b', 'POST')).toEqual({ route: write, named: ['a%20b'] });
    expect(findRoute(routes, '/sets', 'GET')).toEqual({ route: list, named: [] });
  });

  it.each(['/sets/', '/sets/a/b', '/Sets', '/other', '/', '', '/sets/a/'])(
    'has no other path: %j',
    (path) => {
      expect(findRoute(routes, path, 'GET')).toBeUndefined();
    },
  );

  it.each([
    ['/sets/a', 'PUT', 'GET, POST'],
    ['/sets', 'HEAD', 'GET'],
    ['/sets', 'get', 'GET'],
  ])('says for %s which methods it has instead of %s', (path, method, allow) => {
    expect(() => findRoute(routes, path, method)).toThrow(
      expect.objectContaining({ code: 'method_not_allowed', detail: { allow } }),
    );
  });
});

describe('a part of a path', () => {
  it.each([
    ['demo', 'demo'],
    ['%64emo', 'demo'],
    ['a%2Fb', 'a/b'],
    ['%E0%A4%A', '%E0%A4%A'],
    ['100%', '100%'],
    ['', ''],
  ])('%j names %j', (escaped, named) => {
    expect(pathPart(escaped)).toBe(named);
  });
});
