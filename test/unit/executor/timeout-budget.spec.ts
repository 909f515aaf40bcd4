import { expect, it } from 'vitest';
import { jsonAnswer } from '../../builders/scripted-upstream.ts';
import { TimeoutBudget } from '../../../src-main/executor/worker/timeout-budget.ts';

const budgets = (): { outer: TimeoutBudget; inner: TimeoutBudget } => {
  const outer = new TimeoutBudget(1000, 'too long', undefined);
  return { outer, inner: new TimeoutBudget(Infinity, '', outer) };
};

it('work side by side spends the longest wait of a budget and of those around it', () => {
  const { outer, inner } = budgets();
  inner.spendWait(100);
  const forks = [inner.fork(), inner.fork()];
  forks[0]?.spendWait(300);
  forks[1]?.spendWait(500);
  expect(forks.map((fork) => fork.remainingMs)).toEqual([600, 400]);
  inner.join(forks);
  expect(outer.remainingMs).toBe(400);
});

it('work that begins after other work has the time that is left then', () => {
  const { inner } = budgets();
  const first = inner.fork();
  first.spendWait(700);
  expect(inner.fork([first, inner.fork()]).remainingMs).toBe(300);
});

it.each([
  ['fails at its limit, by a clock that is early', { kind: 'failed', message: 'timed out' }, 999, 1000, true],
  ['fails before its limit', { kind: 'failed', message: 'refused' }, 500, 1000, false],
  ['fails at its own shorter limit', { kind: 'failed', message: 'timed out' }, 1000, Infinity, false],
  ['is answered just before its limit', jsonAnswer(1), 999, 1000, false],
] as const)('a call that %s is out of time or not', (_, answer, ms, limitMs, isOver) => {
  const { inner } = budgets();
  inner.spendCall({ answer, ms }, limitMs);
  const check = expect(() => inner.assertNotExceeded());
  if (isOver) check.toThrow('too long');
  else check.not.toThrow();
});

it('work side by side spends all of its computing', () => {
  const { outer, inner } = budgets();
  const forks = [inner.fork(), inner.fork()];
  for (const fork of forks) fork.spendComputing(600);
  inner.join(forks);
  expect(() => outer.assertNotExceeded()).toThrow('too long');
});
