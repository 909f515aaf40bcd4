// Public corpora of text files with rows, in folders that the tests neither have nor fetch; see docs/benchmarks.md.
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import {
  annotatedCells,
  annotatedText,
  annotationsIn,
  plainCells,
  type Annotation,
} from './annotated-text.ts';
import { loadByPapaparse, loadTable, type Cells, type LoadedTable } from './load-table.ts';
import { pollockScore } from './pollock-score.ts';

/** A file that was loaded, and how well. */
export type CheckedFile = {
  readonly name: string;
  readonly loaded: LoadedTable;
  readonly isRight: boolean;
  readonly isRightByPapaparse: boolean;
  /** By the metrics of Pollock, 0 to 10. */
  readonly score: number;
  readonly scoreByPapaparse: number;
  readonly weight: number;
  readonly bytes: number;
};

/** Pollock's damaged files, or its sample of real ones. */
export async function checkPollock(
  folder: string,
  set: 'polluted_files' | 'survey_sample',
): Promise<CheckedFile[]> {
  const weights = JSON.parse(await readFile(join(folder, 'pollock_weights.json'), 'utf8')) as Record<
    string,
    number
  >;
  const checked: CheckedFile[] = [];
  for (const name of (await readdir(join(folder, set, 'csv'))).sort()) {
    const bytes = await readFile(join(folder, set, 'csv', name));
    const clean = await cleanCells(join(folder, set, 'clean', name));
    const hasHeader = (await headerLines(join(folder, set, 'parameters', `${name}_parameters.json`))) > 0;
    const loaded = await loadTable(bytes);
    const papaparse = loadByPapaparse(bytes);
    checked.push({
      name,
      loaded,
      isRight: isTableRight({ clean, hasHeader, isSurvey: set === 'survey_sample' }, loaded),
      isRightByPapaparse: isTableRight(
        { clean, hasHeader, isSurvey: set === 'survey_sample' },
        { cells: papaparse, hasHeader: true },
      ),
      score: pollockScore(clean, loaded.cells),
      scoreByPapaparse: pollockScore(clean, papaparse),
      weight: weights[name] ?? 0,
      bytes: bytes.length,
    });
  }
  return checked;
}

async function cleanCells(path: string): Promise<Cells> {
  const text = (await readFile(path, 'utf8')).replace(/^\uFEFF/, '');
  const dialect = { encoding: 'utf-8', delimiter: ',', quote: '"', isEscaped: false };
  return annotatedCells(text, dialect);
}

async function headerLines(path: string): Promise<number> {
  try {
    const { header_lines: lines = 1 } = JSON.parse(await readFile(path, 'utf8')) as {
      header_lines?: number | string;
    };
    return Number(lines);
  } catch {
    return 1;
  }
}

type Truth = { readonly clean: Cells; readonly hasHeader: boolean; readonly isSurvey: boolean };

/** True if all cells are where they should be, the header among the names. */
function isTableRight(
  { clean, hasHeader, isSurvey }: Truth,
  { cells, hasHeader: isHeaderFound }: Pick<LoadedTable, 'cells' | 'hasHeader'>,
): boolean {
  if (cells === undefined) return false;
  const rows = plainCells(withoutEmptyColumns(clean));
  const loaded = plainCells(cells);
  if (!hasHeader) {
    // The clean table of a real file without a header begins with names that its cleaner made up, or with an empty line.
    const truths = isSurvey ? [rows, plainCells(clean.slice(1))] : [rows];
    return !isHeaderFound && truths.some((truth) => isEqual(loaded, truth));
  }
  if (isHeaderFound)
    return isEqual(loaded.slice(1), rows.slice(1)) && isEqual([namesOf(loaded)], [namesOf(rows)]);
  return isEqual(loaded, rows.slice(1)) && namesOf(rows).length === 0;
}

/** An empty column without a name may be left out. */
function withoutEmptyColumns(rows: Cells): Cells {
  const width = rows.reduce((widest, row) => Math.max(widest, row.length), 0);
  const filled = Array.from({ length: width }, (_, column) =>
    rows.some((row) => (row[column] ?? '').trim() !== ''),
  );
  return rows.map((row) => row.filter((_, column) => filled[column]));
}

const namesOf = (rows: Cells): readonly string[] =>
  (rows[0] ?? []).map((name) => name.replaceAll(/\s+/g, ' '));

const isEqual = (one: Cells, other: Cells): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The three annotated sets of CSVsniffer: a folder of files, and the file that names their dialects. */
export const annotatedSets = [
  ['CSV', 'POLLOCK-dialect_annotations.txt'],
  ['W3C-CSVW', 'W3C-CSVW-dialect_annotations.txt'],
  ['CSV_Wrangling', 'CCSV-manual_Dialect_Annotation.txt'],
] as const;

/** The files of an annotated set: their cells are checked, not which of them are names. */
export async function checkAnnotated(
  folder: string,
  [set, annotations]: (typeof annotatedSets)[number],
): Promise<CheckedFile[]> {
  const known = annotationsIn(await readFile(join(folder, 'python', 'ground truth', annotations), 'utf8'));
  const checked: CheckedFile[] = [];
  for (const path of await filesIn(join(folder, set))) {
    const annotation = known.get(basename(path));
    if (annotation === undefined) continue;
    const bytes = await readFile(path);
    const text = annotatedText(bytes, annotation.encoding);
    const truths = truthsOf(text, annotation);
    if (truths[0]?.length === 0) continue;
    const loaded = await loadTable(bytes, { header: 'none' });
    const isRight = (cells: Cells | undefined): boolean =>
      cells !== undefined && truths.some((truth) => isEqual(plainCells(cells), truth));
    checked.push({
      name: `${set}/${basename(path)}`,
      loaded,
      isRight: isRight(loaded.cells),
      isRightByPapaparse: isRight(loadByPapaparse(bytes)),
      score: 0,
      scoreByPapaparse: 0,
      weight: 0,
      bytes: bytes.length,
    });
  }
  return checked;
}

/** Blanks behind delimiters may belong to them. */
const truthsOf = (text: string, annotation: Annotation): readonly Cells[] =>
  [false, true].map((skipsBlanks) => plainCells(annotatedCells(text, annotation, skipsBlanks)));

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
