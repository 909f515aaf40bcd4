// Text files as people have them. Small cases of our own always; with ROWBENCH_CORPORA=DIR also public corpora that lie
// in DIR/pollock (HPI-Information-Systems/Pollock) and DIR/sniffer (ws-garcia/CSVsniffer): see docs/benchmarks.md.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  annotatedSets,
  checkAnnotated,
  checkPollock,
  type CheckedFile,
} from '../builders/corpora/row-corpora.ts';
import { checkWorkbooks } from '../builders/corpora/workbook-values.ts';
import { readLines } from '../builders/corpora/load-table.ts';
import { report } from './length.ts';

const corpora = process.env['ROWBENCH_CORPORA'];

it.each([
  ['a quote that is never closed', `a,b\n1,"x\n${'2,y\n'.repeat(500_000)}`],
  ['an odd quote in each line', 'a,b\n1,"x"y\n'.repeat(200_000)],
  ['quotes alone', '"'.repeat(2_000_000)],
  ['quotes behind delimiters', `a,b\n${',"a'.repeat(700_000)}`],
  ['a quoted cell of all lines', `a,b\n1,"${'x,y\n'.repeat(500_000)}"\n`],
  ['blanks', `a,b\n${' '.repeat(2_000_000)}`],
  ['delimiters alone', ','.repeat(1_000_000)],
  ['very many columns', `${'a,'.repeat(300_000)}\n${'1,'.repeat(300_000)}\n`],
  ['a row with very many cells', `a,b\n${'1,'.repeat(300_000)}\n${'1,2\n'.repeat(300_000)}`],
  ['apostrophes', "'a,".repeat(700_000)],
  ['backslashes', `a,b\n"${'\\'.repeat(2_000_000)}"\n`],
])('%s: a file of 2 MB is read in a few seconds', { timeout: 120_000 }, async (_, text) => {
  const bytes = new TextEncoder().encode(text);
  const { ms } = await readLines(bytes);
  report(`${Math.round(ms)} ms`);
  expect(ms).toBeLessThan(8000);
});

it.skipIf(corpora === undefined)(
  'the public corpora are read better than by any reader that Pollock has measured',
  { timeout: 900_000 },
  async () => {
    const folder = corpora ?? '';
    const polluted = await checkPollock(join(folder, 'pollock'), 'polluted_files');
    const survey = await checkPollock(join(folder, 'pollock'), 'survey_sample');
    const annotated: CheckedFile[] = [];
    for (const set of annotatedSets) {
      const checked = await checkAnnotated(join(folder, 'sniffer'), set);
      report(rightOf(`CSVsniffer ${set[0]}`, checked));
      annotated.push(...checked);
    }
    const [simple, simpleByPapaparse] = scores(polluted, () => 1);
    const [weighted, weightedByPapaparse] = scores(polluted, ({ weight }) => weight);
    report(
      `Pollock: simple ${simple} (papaparse ${simpleByPapaparse}), weighted ${weighted} (${weightedByPapaparse})`,
    );
    report(rightOf('Pollock, real files', survey));
    report(rightOf('annotated sets', annotated));
    const all = [...polluted, ...survey, ...annotated];
    const damaged = polluted.filter(({ name }) => name.startsWith('row_'));
    expect(damaged.filter(isSilentlyWrong).map(({ name }) => name)).toEqual([]);
    expect(all.filter(isSlow).map(({ name }) => name)).toEqual([]);
    expect(Number(simple)).toBeGreaterThanOrEqual(9.965);
    expect(Number(weighted)).toBeGreaterThanOrEqual(9.7);
    expect(right(survey)).toBeGreaterThanOrEqual(76);
    expect(right(annotated)).toBeGreaterThanOrEqual(490);
  },
);

it.skipIf(corpora === undefined || !existsSync(join(corpora, 'workbooks', 'values.ndjson')))(
  'sheets of public workbooks have the values that another program has read',
  { timeout: 900_000 },
  async () => {
    const sheets = await checkWorkbooks(join(corpora ?? '', 'workbooks'));
    const different = sheets.filter(({ difference }) => difference !== undefined);
    for (const { name, difference } of different) report(`${name}: ${difference}`);
    const refused = sheets.filter(({ isRefused }) => isRefused).length;
    report(
      `workbooks: ${sheets.length - refused - different.length} of ${sheets.length} sheets equal, ${refused} refused`,
    );
    // Programs differ about which number formats are dates, and which of two parts of one name counts.
    expect(different.length).toBeLessThanOrEqual(0.015 * sheets.length);
  },
);

const right = (files: readonly CheckedFile[]): number => files.filter(({ isRight }) => isRight).length;

function rightOf(name: string, files: readonly CheckedFile[]): string {
  const papaparse = files.filter(({ isRightByPapaparse }) => isRightByPapaparse).length;
  const refused = files.filter(({ loaded }) => loaded.cells === undefined).length;
  const silent = files.filter(isSilentlyWrong).length;
  return `${name}: ${right(files)} of ${files.length} right (papaparse ${papaparse}), ${refused} refused, ${silent} silently wrong`;
}

function scores(files: readonly CheckedFile[], weightOf: (file: CheckedFile) => number): readonly string[] {
  const weight = files.reduce((sum, file) => sum + weightOf(file), 0);
  const mean = (scoreOf: (file: CheckedFile) => number): string =>
    (files.reduce((sum, file) => sum + scoreOf(file) * weightOf(file), 0) / weight).toFixed(4);
  return [mean(({ score }) => score), mean(({ scoreByPapaparse }) => scoreByPapaparse)];
}

const isSilentlyWrong = ({ isRight, loaded }: CheckedFile): boolean =>
  !isRight && loaded.cells !== undefined && loaded.remarks.length === 0;

/** More than 2 s of computing for 10 MB, and half a second for any file. */
const isSlow = ({ loaded, bytes }: CheckedFile): boolean => loaded.ms > 500 + bytes / 5000;
