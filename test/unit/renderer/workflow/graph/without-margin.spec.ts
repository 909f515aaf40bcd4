import { expect, it } from 'vitest';
import { withoutMargin } from '../../../../../src-renderer/state/workflow/graph/graph-edits.ts';

it.each([
  ['\n    when: true\n', 'when: true'],
  [
    '- id: a\n    type: set\n    values:\n      b: 1\n\n  - id: c',
    '- id: a\n  type: set\n  values:\n    b: 1\n\n- id: c',
  ],
  ['  - id: a\n    type: set\n', '- id: a\n  type: set'],
])('the lines %j are shown without their margin', (lines, shown) => {
  expect(withoutMargin(lines)).toBe(shown);
});
