// `rowbench runs remove`: removes runs for good, with their rows and results.
import type { Command } from 'commander';
import type { Call, RunView } from '../../contract/index.ts';
import { count, counted } from '../../domain/format.ts';
import { isUnreadable } from '../../domain/store-errors.ts';
import { isFinal } from '../../domain/run/run-status.ts';
import { printJson, type CommandContext } from '../context.ts';
import { jsonOption, withControl } from '../control-command.ts';
import { dataOption, serverOption, type DataOption } from '../options/data-option.ts';
import { exitCode, UsageError } from '../exit-code.ts';
import { confirm } from '../terminal/ask-at-terminal.ts';
import { labelText } from './label-command.ts';

type RemoveOptions = DataOption & {
  readonly chain?: boolean;
  readonly cancel?: boolean;
  readonly pinned?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
};

const notes = `
Tests and row sets that were made of a run stay, and so do recordings, exported files, backups and lines of the API log.

Examples:
  $ rowbench runs remove RUN
  $ rowbench runs remove RUN OTHER --yes
  $ rowbench runs remove RUN --chain
  $ rowbench runs remove RUN --cancel`;

export function addRemoveCommand(runs: Command, context: CommandContext): void {
  runs
    .command('remove')
    .description('Removes runs with their rows and results. They cannot be restored.')
    .argument('<run...>', "the runs' ids, or 4 or more characters of an id's beginning or end")
    .option('--chain', 'remove all attempts of the chain of each run')
    .option('--cancel', 'cancel runs that have not ended, then remove them')
    .option('--pinned', 'remove pinned runs, too')
    .option('--yes', 'do not ask')
    .addOption(dataOption())
    .addOption(serverOption())
    .addOption(jsonOption())
    .addHelpText('after', notes)
    .action((ids: string[], options: RemoveOptions) => removeRuns(context, ids, options));
}

async function removeRuns(
  context: CommandContext,
  ids: readonly string[],
  options: RemoveOptions,
): Promise<void> {
  const { terminal } = context;
  await withControl(context, options, async (call) => {
    const runs = await runsToRemove(call, ids, options);
    assertRemovable(runs, options);
    if (options.yes !== true && !(await isAgreed(context, runs))) {
      terminal.err('Nothing was removed.\n');
      return context.exitWith(exitCode.failed);
    }
    const choice = { cancels: options.cancel === true, isPinned: options.pinned === true };
    const removed: string[] = [];
    for (const { runId } of runs) {
      await call('run.remove', { runId, ...choice });
      removed.push(runId);
      // With JSON, too: an error in between must not hide what is gone.
      terminal.err(`Removed run ${runId}.\n`);
    }
    if (options.json === true) return printJson(context, { removed });
  });
}

/** The named runs, or all attempts of their chains, the newest first. Throws a UsageError for a run with later attempts. */
async function runsToRemove(
  call: Call,
  ids: readonly string[],
  { chain }: RemoveOptions,
): Promise<readonly RunView[]> {
  const runs = new Map<string, RunView>();
  const later = new Map<string, readonly RunView[]>();
  for (const id of ids) {
    const run = await call('run.show', { runId: id });
    const { runId } = run;
    const attempts = await attemptsOf(call, run);
    const at = attempts.findIndex((attempt) => attempt.runId === runId);
    later.set(runId, attempts.slice(at + 1));
    for (const attempt of chain === true ? attempts : attempts.slice(at, at + 1))
      runs.set(attempt.runId, attempt);
  }
  for (const [runId, attempts] of later) {
    const left = attempts.filter((attempt) => !runs.has(attempt.runId)).length;
    if (left > 0)
      throw new UsageError(
        `run ${runId} has ${counted(left, 'later attempt')}: add --chain to remove all attempts of its chain`,
      );
  }
  return [...runs.values()].toSorted((one, other) => (one.runId < other.runId ? 1 : -1));
}

/** Attempts of the run's chain, oldest first; the run alone if the chain is damaged, and the server decides. */
async function attemptsOf(call: Call, run: RunView): Promise<readonly RunView[]> {
  try {
    return (await call('chain.show', { runId: run.runId })).attempts;
  } catch (error) {
    if (isUnreadable(error)) return [run];
    throw error;
  }
}

/** Throws a UsageError for runs that need an option, before any run is removed. */
function assertRemovable(runs: readonly RunView[], { cancel, pinned }: RemoveOptions): void {
  const unfinished = runs.find(({ status }) => !isFinal(status));
  if (unfinished !== undefined && cancel !== true)
    throw new UsageError(
      `run ${unfinished.runId} is ${unfinished.status}: add --cancel to cancel and remove it`,
    );
  const pin = runs.find(({ labels }) => labels?.isPinned === true);
  if (pin !== undefined && pinned !== true)
    throw new UsageError(`run ${pin.runId}${namedText(pin)} is pinned: add --pinned to remove it, too`);
}

/** Name and tags of a pinned run in parentheses; empty without them. */
function namedText(run: RunView): string {
  const { isPinned: _pin, ...labels } = run.labels ?? {};
  const text = labelText({ ...run, labels });
  return text === '' ? '' : ` (${text})`;
}

function isAgreed({ terminal }: CommandContext, runs: readonly RunView[]): boolean | Promise<boolean> {
  const rows = runs.reduce((sum, run) => sum + run.rows, 0);
  const what = `${counted(runs.length, 'run')} with ${count(rows)} ${rows === 1 ? 'row' : 'rows'}`;
  if (terminal.ask === undefined) throw new UsageError(`add --yes to remove ${what}`);
  const pinned = runs.filter(({ labels }) => labels?.isPinned === true);
  for (const run of pinned) terminal.err(`Run ${run.runId}${namedText(run)} is pinned.\n`);
  return confirm(terminal.ask, `Remove ${what}? This cannot be undone.`);
}
