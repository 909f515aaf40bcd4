import { describe, expect, it } from 'vitest';
import { closestName, didYouMean } from '../../../src-main/domain/closest-name.ts';

const names = ['row', 'nodes', 'retry', 'timeout', 'onError', 'after', 'each', 'encodeURIComponent'];

describe('the closest name', () => {
  it.each([
    ['rwo', 'row'],
    ['rows', 'row'],
    ['retrys', 'retry'],
    ['timout', 'timeout'],
    ['tiemout', 'timeout'],
    ['onerror', 'onError'],
    ['aftre', 'after'],
    ['EncodeUriComponent', 'encodeURIComponent'],
  ])('to %s is %s', (typed, meant) => {
    expect(closestName(typed, names)).toBe(meant);
  });

  it.each(['', 'x', 'abc', 'customer', 'message', 'x'.repeat(1000)])('to %.10s is none', (typed) => {
    expect(closestName(typed, names)).toBeUndefined();
    expect(didYouMean(typed, names)).toBe('');
  });
});
