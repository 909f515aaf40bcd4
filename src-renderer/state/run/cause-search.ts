import type { FailureGroup } from '#contract';

/** Causes that hold every word, in the message or the node's id; upper and lower case are the same. */
export function causesWith(groups: readonly FailureGroup[], text: string): readonly FailureGroup[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return groups;
  return groups.filter(({ nodeId, cause, message }) => {
    const held = `${nodeId} ${cause} ${message}`.toLowerCase();
    return words.every((word) => held.includes(word));
  });
}
