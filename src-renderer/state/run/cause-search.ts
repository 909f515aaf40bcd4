import type { FailureGroup } from '#contract';

/** Causes whose message or node id contains every word; case is ignored. */
export function filterCauses(groups: readonly FailureGroup[], text: string): readonly FailureGroup[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return groups;
  return groups.filter(({ nodeId, cause, message }) => {
    const searched = `${nodeId} ${cause} ${message}`.toLowerCase();
    return words.every((word) => searched.includes(word));
  });
}
