import type { Mock } from '../../../domain/nodes/mock.ts';
import { NodeError } from '../node-error.ts';
import { freezeParsed } from '../plain-value.ts';
import type { NodeRunner } from './node-runner.ts';

/** Runs a mock instead of a node: each attempt gets its own answer; attempts after the last answer get that one. */
export function runMocked(mock: Mock): NodeRunner {
  const answers = freezeParsed(mock);
  return ({ attempt }) => {
    const answer = answers[Math.min(attempt, answers.length) - 1];
    if (answer === undefined || 'value' in answer) return answer?.value;
    throw new NodeError(answer.error, 0, { kind: 'mock' });
  };
}
