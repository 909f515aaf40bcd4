import { expect, it } from 'vitest';
import { filterCauses } from '../../../src-renderer/state/run/cause-search.ts';

const group = (nodeId: string, message: string) =>
  ({ nodeId, cause: message.replace(/\d+/, '…'), rows: 1, firstRows: [1], message }) as const;

it('causes are found by every word of their message and node', () => {
  const groups = [
    group('company', 'HTTP 500 from GET'),
    group('score', 'No such field'),
    group('score', 'HTTP 404'),
  ];
  expect(filterCauses(groups, ' http  SCORE ')).toEqual([groups[2]]);
  expect(filterCauses(groups, '500')).toEqual([groups[0]]);
  expect(filterCauses(groups, ' ')).toBe(groups);
  expect(filterCauses(groups, 'nothing')).toEqual([]);
});
