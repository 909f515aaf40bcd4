// The option that runs a part of the rows first.
import { randomInt } from 'node:crypto';
import { Option } from 'commander';
import type { RunFileResult } from '../app/run-file.ts';
import { counted } from '../domain/format.ts';
import { maxSeed, parseSample, SampleProblem, type SampleChoice } from '../domain/rows/row-sample.ts';
import { estimateText } from './commands/rest-command.ts';
import { UsageError } from './exit-code.ts';
import { printable } from './format.ts';

export const sampleOption = (): Option =>
  new Option(
    '--sample <rows>',
    'run only some rows: 20 (the first), random:20, random:20:SEED, or each:COLUMN (one for each value)',
  ).argParser(choiceOf);

function choiceOf(text: string): SampleChoice {
  try {
    return parseSample(text, () => randomInt(maxSeed));
  } catch (error) {
    throw error instanceof SampleProblem ? new UsageError(`--sample: ${error.message}`) : error;
  }
}

/** The line about the rows that are left; empty for a run that is no sample. */
export function restText({ sample }: Pick<RunFileResult, 'sample'>): string {
  if (sample === undefined) return '';
  const { choice, restRows, estimate } = sample;
  return `${counted(restRows, 'row')} left${estimateText(estimate)}: run them with --sample ${printable(choice)} --rest\n`;
}
