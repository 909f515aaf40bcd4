/** Maximum characters before the number, so that the id is short enough with it. */
const maxStem = 58;

/** The id, or one with the first free number behind it: `set`, `set2`, `set3`. */
export function freeNodeId(id: string, taken: readonly string[]): string {
  if (!taken.includes(id)) return id;
  const stem = id.replace(/\d+$/, '').slice(0, maxStem);
  for (let number = 2; ; number += 1) if (!taken.includes(`${stem}${number}`)) return `${stem}${number}`;
}
