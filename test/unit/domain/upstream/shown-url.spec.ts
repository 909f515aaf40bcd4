import { expect, it } from 'vitest';
import { shownUrl } from '../../../../src-main/domain/upstream/shown-url.ts';

it.each([
  ['https://api.example.com/companies/7', 'https://api.example.com/companies/7'],
  ['https://api.example.com/a?key=abc&page=2', 'https://api.example.com/a?key=…&page=…'],
  ['https://api.example.com/a?abc', 'https://api.example.com/a?…'],
  ['https://user:pass@api.example.com/a', 'https://api.example.com/a'],
  ['https://a@b:c@api.example.com/a@b', 'https://api.example.com/a@b'],
  ['https://api.example.com/a#secret', 'https://api.example.com/a'],
  ['not a url', 'not a url'],
])('%s is shown as %s', (url, shown) => {
  expect(shownUrl(url)).toBe(shown);
});

it('a long URL is cut', () => {
  expect(shownUrl(`https://h/${'x'.repeat(5000)}`)).toHaveLength(201);
});
