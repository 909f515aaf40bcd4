/** Acts on all in their order, so many at a time. */
export async function mapInGroups<T, R>(
  all: readonly T[],
  groupSize: number,
  act: (one: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < all.length; start += groupSize) {
    results.push(...(await Promise.all(all.slice(start, start + groupSize).map(act))));
  }
  return results;
}
