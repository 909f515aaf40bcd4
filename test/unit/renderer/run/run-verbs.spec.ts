import { expect, it } from 'vitest';
import { verbMessage } from '../../../../src-renderer/state/run/run-verbs.ts';

it('a message names the workflow of a single run, or the number of runs', () => {
  expect(verbMessage('pause', 1, 'Score leads')).toBe('Run of Score leads paused');
  expect(verbMessage('pin', 1, 'Score leads')).toBe('Run of Score leads pinned');
  expect(verbMessage('unpin', 2)).toBe('2 runs unpinned');
  expect(verbMessage('cancel', 2)).toBe('2 runs cancelled');
  expect(verbMessage('resume', 1)).toBe('1 run resumed');
  expect(verbMessage('rerun', 1, 'Score leads')).toBe('Rerun started');
  expect(verbMessage('rerun-failed', 1_200)).toBe('1,200 reruns started');
});
