// The row transform of each workload in plain JavaScript, for the programs that Rowbench is compared with.

/** Three nodes of string work. */
export const text = (row) => ({
  greeting: `Hello ${row.name} from ${row.company}`,
  domain: row.email.split('@')[1],
  points: Math.round(row.score * 2),
  tags: row.tags.map((tag) => tag.toUpperCase()),
  label: row.score > 50 ? 'hot' : 'cold',
});

/** About 45 µs of computing: a hash over the note, then 32,000 rounds. */
export function code(row) {
  let hash = 2166136261;
  for (let at = 0; at < row.note.length; at += 1) hash = Math.imul(hash ^ row.note.charCodeAt(at), 16777619);
  for (let round = 0; round < 32_000; round += 1) hash = Math.imul(hash ^ round, 16777619);
  return { hash: hash >>> 0 };
}
