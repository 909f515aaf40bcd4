import { isMap, isScalar, isSeq, Scalar } from 'yaml';

/** Quotes keys that read `<<`: bare ones are YAML's merge keys, which no file of this program has. */
export function quoteMergeKeys(node: unknown): void {
  if (isSeq(node)) node.items.forEach(quoteMergeKeys);
  if (!isMap(node)) return;
  for (const pair of node.items) {
    // As the library leaves a key that was set by a path.
    if (pair.key === '<<') pair.key = new Scalar('<<');
    if (isScalar(pair.key) && pair.key.value === '<<') pair.key.type = Scalar.QUOTE_DOUBLE;
    quoteMergeKeys(pair.value);
  }
}
