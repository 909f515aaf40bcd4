type Box = { readonly target: number; readonly size: number };

/**
 * Middles of boxes in the given order, as close as possible to their targets without overlaps. Boxes that would overlap
 * are moved together, as a block around the mean of their targets.
 * @param gap minimum space between two boxes
 */
export function spreadApart(boxes: readonly Box[], gap: number): readonly number[] {
  // The positions if all boxes were packed; targets relative to them only have to be ascending.
  const offsets: number[] = [];
  let offset = 0;
  for (const { size } of boxes) {
    offsets.push(offset + size / 2);
    offset += size + gap;
  }
  const blocks: { sum: number; count: number }[] = [];
  for (const [at, { target }] of boxes.entries()) {
    let block = { sum: target - (offsets[at] ?? 0), count: 1 };
    for (
      let last = blocks.at(-1);
      last !== undefined && meanOf(last) >= meanOf(block);
      last = blocks.at(-1)
    ) {
      block = { sum: last.sum + block.sum, count: last.count + block.count };
      blocks.pop();
    }
    blocks.push(block);
  }
  const starts = blocks.flatMap((block) => Array<number>(block.count).fill(meanOf(block)));
  return offsets.map((each, at) => each + (starts[at] ?? 0));
}

const meanOf = ({ sum, count }: { readonly sum: number; readonly count: number }): number => sum / count;
