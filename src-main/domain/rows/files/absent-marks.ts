// Texts that stand for a missing value in a column of numbers or dates.

const marks = new Set([
  ...['-', '--', '–', '—', '.', '?', 'n/a', '#n/a', 'na', 'n.a.', 'n. a.', 'nan', 'null', 'none', 'nil'],
  ...['k.a.', 'k. a.', 'keine angabe', 'unbekannt', 'unknown', 'not available'],
]);

/** True for a text that says that there is no value: `n/a`, `k.A.`, `-`, `NULL`. */
export const isAbsentMark = (text: string): boolean =>
  text.length <= 15 && marks.has(text.trim().toLowerCase());
