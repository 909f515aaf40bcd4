// Exports the shown calls as one HTTP Archive file, fetched in pieces.
import type { Call } from '#contract';

/** Pieces of the file, in order. Throws `ControlError`. */
export async function harPieces(
  call: Call,
  numbers: readonly number[],
  version: string,
): Promise<readonly string[]> {
  const creator = JSON.stringify({ name: 'Rowbench', version });
  const pieces = [`{"log":{"version":"1.2","creator":${creator},"entries":[`];
  // Oldest first, as the tools that read it expect.
  const sorted = numbers.toSorted((a, b) => a - b);
  let isFirst = true;
  for (let start = 0; start < sorted.length;) {
    const { entries, taken } = await call('calls.har', { numbers: sorted.slice(start) });
    start += Math.max(1, taken);
    if (entries.length === 0) continue;
    const text = JSON.stringify(entries).slice(1, -1);
    pieces.push(isFirst ? text : `,${text}`);
    isFirst = false;
  }
  return [...pieces, ']}}'];
}
