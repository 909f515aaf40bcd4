import { expect, it } from 'vitest';
import { parseInput } from '../../../src-main/contract/parse-input.ts';

it('tells all that is wrong with an input in sentences, each with its place', () => {
  expect(() => parseInput('secret.set', { name: 'bad-name', hosts: ['a b'], value: 'long enough' })).toThrow(
    'Invalid input: A secret is named by capital letters, digits and "_", 64 in all at most, a letter first (name); ' +
      'A host is a name or an address, with ":port" where it is not called with https at its usual port (hosts.0)',
  );
  expect(() => parseInput('secret.list', 7)).toThrow(/^Invalid input: expected object, received number$/);
});
