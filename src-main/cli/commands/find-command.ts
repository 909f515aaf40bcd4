import { Option, type Command } from 'commander';
import type { FindCursor, FindHit, FindPage } from '../../contract/index.ts';
import { count, counted } from '../../domain/format.ts';
import { columnText } from '../../domain/query/column.ts';
import { maxFindText } from '../../domain/query/find-values.ts';
import { printJson, type CommandContext } from '../context.ts';
import { jsonOption, withControl } from '../control-command.ts';
import { dataOption, serverOption, type DataOption } from '../options/data-option.ts';
import { exitCode, UsageError } from '../exit-code.ts';
import { printable } from '../format.ts';
import { untilInterrupted } from '../terminal/interrupt.ts';
import { ProgressBar } from '../terminal/progress-bar.ts';
import type { ColouredText } from '../terminal/terminal.ts';

type FindOptions = DataOption & {
  readonly workflow?: string;
  readonly in?: 'input' | 'output';
  readonly limit: number;
  readonly json?: boolean;
};

/** Hits of a search, and how far it came. */
type Found = Pick<FindPage, 'hits' | 'runs' | 'runsSearched' | 'unreadableRuns' | 'largeLines'> & {
  /** True if no run is left to search. */
  readonly isComplete: boolean;
};

const examples = `
Examples:
  $ rowbench runs find ada@example.org
  $ rowbench runs find "Ada Lovelace" --workflow score-leads --in output
  $ rowbench runs find C-1048 --limit 1 --json`;

/** `rowbench runs find`: where a value occurs in the rows and outputs of all runs. */
export function addFindCommand(runs: Command, context: CommandContext): void {
  runs
    .command('find')
    .summary('search the rows and outputs of all runs')
    .description(
      'Searches the values in the rows and outputs of all runs for a text, in upper or lower case, the newest run first.\n' +
        'Names of columns are not searched. Ctrl-C stops the search and keeps what it has found.',
    )
    .argument('<text>', 'the text to search for')
    .option('--workflow <id>', 'only runs of this workflow')
    .addOption(new Option('--in <side>', 'only rows or only outputs').choices(['input', 'output']))
    .addOption(new Option('--limit <n>', 'how many values at most').argParser(limit).default(100))
    .addOption(dataOption())
    .addOption(serverOption())
    .addOption(jsonOption())
    .addHelpText('after', examples)
    .action((text: string, options: FindOptions) => findText(context, text, options));
}

const maxLimit = 10_000;
/** Maximum hits of one call, so that the first ones are soon printed. */
const hitsInCall = 100;

function limit(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= maxLimit) return value;
  throw new UsageError(`--limit must be a whole number from 1 to ${count(maxLimit)}, not "${text}"`);
}

async function findText(context: CommandContext, text: string, options: FindOptions): Promise<void> {
  if (text === '') throw new UsageError('Name a text to search for');
  if (text.length > maxFindText)
    throw new UsageError(`The text may have up to ${count(maxFindText)} characters`);
  const isJson = options.json === true;
  const bar = new ProgressBar(context.terminal, context.clock, 'runs');
  const found = await untilInterrupted((signal) =>
    search(context, { text, options, signal }, async (page, isFirst) => {
      bar.clear();
      if (!isJson) await printHits(context, page.hits, isFirst);
      bar.update(page.runsSearched, page.runs);
    }).finally(() => bar.clear()),
  );
  if (!found.isComplete && found.hits.length < options.limit) context.exitWith(exitCode.interrupted);
  if (isJson) await printJson(context, found);
  else context.terminal.err(summary(found));
}

/** @param onPage is called with each part of the answer; `isFirst` until there was a hit */
async function search(
  context: CommandContext,
  { text, options, signal }: { text: string; options: FindOptions; signal: AbortSignal },
  onPage: (page: FindPage, isFirst: boolean) => Promise<void>,
): Promise<Found> {
  return withControl(context, options, async (call) => {
    const hits: FindHit[] = [];
    const unreadableRuns: string[] = [];
    let largeLines = 0;
    let cursor: FindCursor | undefined;
    for (;;) {
      const page = await call('run.find', {
        text,
        workflowId: options.workflow,
        of: options.in,
        cursor,
        limit: Math.min(hitsInCall, options.limit - hits.length),
      });
      await onPage(page, hits.length === 0);
      hits.push(...page.hits);
      unreadableRuns.push(...page.unreadableRuns);
      largeLines += page.largeLines;
      cursor = page.next;
      if (cursor !== undefined && hits.length < options.limit && !signal.aborted) continue;
      const { runs, runsSearched } = page;
      return { hits, runs, runsSearched, isComplete: cursor === undefined, unreadableRuns, largeLines };
    }
  });
}

/** Lines are printed as they come: columns are as wide as usual values. */
const widths = [36, 9, 24];
const padded = (cells: readonly string[]): string =>
  cells.map((cell, index) => `${cell.padEnd(widths[index] ?? 0)}  `).join('');

async function printHits(
  { terminal }: CommandContext,
  hits: readonly FindHit[],
  isFirst: boolean,
): Promise<void> {
  if (isFirst && hits.length > 0) await terminal.out(`${padded(['RUN', 'ROW', 'COLUMN'])}VALUE\n`);
  for (const hit of hits) await terminal.out(hitLine(hit));
}

const hitLine = ({ runId, row, column, before, match, after }: FindHit): ColouredText => [
  `${padded([runId, count(row), printable(columnText(column))])}${printable(before)}`,
  { colour: 'red', text: printable(match) },
  `${printable(after)}\n`,
];

function summary({ hits, runs, runsSearched, isComplete, unreadableRuns, largeLines }: Found): string {
  const searched = isComplete
    ? ` in ${counted(runs, 'run')}`
    : `; ${count(runsSearched)} of ${counted(runs, 'run')} searched to the end`;
  const lines = [
    `${hits.length === 0 ? 'Nothing found' : `${counted(hits.length, 'value')} found`}${searched}.`,
  ];
  if (unreadableRuns.length > 0)
    lines.push(`These runs are damaged and were not searched to their end: ${unreadableRuns.join(', ')}`);
  if (largeLines > 0)
    lines.push(`${counted(largeLines, 'row')} above 1 MB ${largeLines === 1 ? 'was' : 'were'} not searched.`);
  return `${lines.join('\n')}\n`;
}
