import { expect, it } from 'vitest';
import { changedBlocks } from '../../../../src-renderer/state/author/changed-blocks.ts';

it('changed blocks have the line numbers of the newer text', () => {
  expect(changedBlocks('a\nb\nc\nd\n', 'new\na\nb\nD\n')).toEqual([
    { line: 1, removed: [], added: ['new'] },
    { line: 4, removed: ['c', 'd'], added: ['D'] },
  ]);
  expect(changedBlocks('a\r\nb', 'a\nb')).toEqual([]);
});
