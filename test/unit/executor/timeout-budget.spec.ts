import { expect, it } from 'vitest';
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

it('work side by side spends all of its computing', () => {
  const { outer, inner } = budgets();
  const forks = [inner.fork(), inner.fork()];
  for (const fork of forks) fork.spendComputing(600);
  inner.join(forks);
  expect(() => outer.assertNotExceeded()).toThrow('too long');
});
