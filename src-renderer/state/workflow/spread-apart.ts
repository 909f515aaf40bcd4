type Wish = { readonly wanted: number; readonly size: number };

/**
 * Middles in the given order, as near to the wanted ones as can be without one touching the next: things that get into
 * each other's way are moved together, as a block around the mean of what its members want.
 * @param gap least room between two
 */
export function spreadApart(wishes: readonly Wish[], gap: number): readonly number[] {
  // Where each would be if all stood as close as they may; wishes measured from there only have to rise.
  const offsets: number[] = [];
  let offset = 0;
  for (const { size } of wishes) {
    offsets.push(offset + size / 2);
    offset += size + gap;
  }
  const blocks: { sum: number; count: number }[] = [];
  for (const [at, { wanted }] of wishes.entries()) {
    let block = { sum: wanted - (offsets[at] ?? 0), count: 1 };
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
