import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  changedBlocks,
  withoutBlock,
} from '../../../../../src-renderer/state/workflow/files/changed-blocks.ts';

it('changed blocks have the line numbers of the newer text', () => {
  expect(changedBlocks('a\nb\nc\nd\n', 'new\na\nb\nD\n')).toEqual([
    { line: 1, lineBefore: 1, removed: [], added: ['new'] },
    { line: 4, lineBefore: 3, removed: ['c', 'd'], added: ['D'] },
  ]);
  expect(changedBlocks('a\r\nb', 'a\nb')).toEqual([]);
});

it('one difference is taken back, and the others stay', () => {
  const before = 'a\nb\nc\nd\ne\r\n';
  const after = 'A\nb\nnew\nc\nd';
  const blocks = changedBlocks(before, after);
  expect(blocks).toHaveLength(3);
  const texts = blocks.map((block) => withoutBlock({ before, after }, block));
  expect(texts).toEqual(['a\nb\nnew\nc\nd', 'A\nb\nc\nd', 'A\nb\nnew\nc\nd\ne\r\n']);
});

it('differences that are taken back one after the other give the text before', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 8 })
    .map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(text, text, (before, after) => {
      let now = after;
      for (
        let [block] = changedBlocks(before, now);
        block !== undefined;
        [block] = changedBlocks(before, now)
      )
        now = withoutBlock({ before, after: now }, block);
      expect(now).toBe(before);
    }),
  );
});
