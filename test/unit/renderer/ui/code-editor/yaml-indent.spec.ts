import { expect, it } from 'vitest';
import { yamlIndent } from '../../../../../src-renderer/ui/code-editor/yaml-indent.ts';

it.each([
  ['', 0],
  ['id: x', 0],
  ['  id: x', 2],
  ['nodes:', 2],
  ['nodes: # all of them', 2],
  ['  - id: input', 4],
  ['  - fields:', 6],
  ['    code: |', 6],
  ['    code: >-', 6],
  ['  - ', 4],
  ['    url: https://example.org', 4],
  ['    return row;', 4],
])('the line after "%s" begins in column %i', (before, column) => {
  expect(yamlIndent(before)).toBe(column);
});
