import { expect, it } from 'vitest';
import { isVisible } from '../../../src-main/domain/visible-name.ts';

it.each(['', ' ', '\u200B', '\u202E\u2066', '\u3164', '\u2800', '\u00AD\uFEFF', '\u{E0041}', '\u00A0'])(
  'nobody sees a name of hidden characters alone: %j',
  (name) => {
    expect(isVisible(name)).toBe(false);
  },
);

it.each(['a', '-', '李', '\u202Ea', '🦉', 'عائشة'])('a name that can be seen is one: %s', (name) => {
  expect(isVisible(name)).toBe(true);
});
