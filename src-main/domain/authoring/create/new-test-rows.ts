import type { JsonObject } from '../../../base/json-value.ts';

/** Maximum rows that become test rows of a new workflow. */
export const maxNewTestRows = 1_000;
/** Maximum characters of their JSON. */
const maxCharacters = 1_000_000;

/** The first rows: as many as become test rows of a new workflow. */
export function newTestRows(rows: readonly JsonObject[]): JsonObject[] {
  const first: JsonObject[] = [];
  let characters = 0;
  for (const row of rows.slice(0, maxNewTestRows)) {
    characters += JSON.stringify(row).length;
    if (characters > maxCharacters) break;
    first.push(row);
  }
  return first;
}
