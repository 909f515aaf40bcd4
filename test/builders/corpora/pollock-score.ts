// The score of a loaded table by the metrics of the Pollock benchmark: 0 to 10 for each file.
import type { Cells } from './load-table.ts';

/** The score of a file; `undefined` is a file that was refused. */
export function pollockScore(source: Cells, loaded: Cells | undefined): number {
  if (loaded === undefined) return 0;
  if (source.length === 0) return 10;
  const header = sum(overlap(normalized(source[0] ?? []), normalized(loaded[0] ?? [])));
  const records = overlap(joinedRecords(source), joinedRecords(loaded));
  const cells = overlap(source.flat(), loaded.flat());
  return 1 + header + sum(records) + sum(cells);
}

type Overlap = { readonly precision: number; readonly recall: number; readonly f1: number };

const sum = ({ precision, recall, f1 }: Overlap): number => precision + recall + f1;

/** The benchmark divides by the source for the precision and by the loaded table for the recall. */
function overlap(source: readonly string[], loaded: readonly string[]): Overlap {
  if (source.length === 0) return { precision: 1, recall: 1, f1: 1 };
  const counts = new Map<string, number>();
  for (const text of source) counts.set(text, (counts.get(text) ?? 0) + 1);
  let common = 0;
  for (const text of loaded) {
    const left = counts.get(text) ?? 0;
    if (left === 0) continue;
    counts.set(text, left - 1);
    common += 1;
  }
  if (common === 0) return { precision: 0, recall: 0, f1: 0 };
  const precision = common / source.length;
  const recall = common / loaded.length;
  return { precision, recall, f1: (2 * precision * recall) / (precision + recall) };
}

const joinedRecords = (rows: Cells): readonly string[] =>
  rows.slice(1).map((row) => normalized(row).join(''));

/** One form for equal values; prices and dates stay texts, which the benchmark parses. */
const normalized = (row: readonly string[]): readonly string[] =>
  row.map((cell) => {
    const text = cell.trim();
    if (/^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true' ? '1' : '0';
    if (/^[+-]?\d{1,15}$/.test(text)) return String(Number(text));
    if (/^[+-]?\d+\.\d+$/.test(text)) return String(Number(text));
    return cell.toLowerCase();
  });
