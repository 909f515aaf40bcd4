import { expect, it } from 'vitest';
import { attemptResultText } from '../../../../src-renderer/state/run/attempt-texts.ts';
import { runView } from '../../../builders/run-view.ts';

it.each([
  [{ rowsDone: 4_787, rowsFailed: 216 }, '4,787 done · 216 failed'],
  [{ rowsDone: 150, rowsFailed: 134, fixed: 150, failedAgain: 134 }, '150 fixed · 134 failed again'],
  [{ rowsDone: 3, rowsFailed: 2, fixed: 1, failedAgain: 1 }, '1 fixed · 2 done · 1 failed again · 1 failed'],
  [{ rowsDone: 0, rowsFailed: 0 }, ''],
])('an attempt with %j says "%s"', (counts, text) => {
  expect(attemptResultText({ ...runView(), ...counts })).toBe(text);
});
