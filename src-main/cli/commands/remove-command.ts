// `rowbench runs remove`: removes runs for good, with their rows and results.
import type { Command } from 'commander';
import type { RunView } from '../../contract/index.ts';
import { count, counted } from '../../domain/format.ts';
import { isFinal } from '../../domain/run/run-status.ts';
import { printJson, type CommandContext } from '../context.ts';
import { jsonOption, withControl } from '../control-command.ts';
import { dataOption, serverOption, type DataOption } from '../options/data-option.ts';
import { exitCode, UsageError } from '../exit-code.ts';
import { confirm } from '../terminal/ask-at-terminal.ts';
import { labelText } from './label-command.ts';

type RemoveOptions = DataOption & {
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
  $ rowbench runs remove RUN --cancel`;

export function addRemoveCommand(runs: Command, context: CommandContext): void {
  runs
    .command('remove')
    .description('Removes runs with their rows and results. They cannot be restored.')
    .argument('<run...>', "the runs' ids, or 4 or more characters of an id's beginning or end")
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
    const named = new Map<string, RunView>();
    for (const id of ids) {
      const run = await call('run.show', { runId: id });
      named.set(run.runId, run);
    }
    const runs = [...named.values()];
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

/** Throws a UsageError for runs that need an option, before any run is removed. */
function assertRemovable(runs: readonly RunView[], { cancel, pinned }: RemoveOptions): void {
  const unfinished = runs.find(({ status }) => !isFinal(status));
  if (unfinished !== undefined && cancel !== true)
    throw new UsageError(
      `run ${unfinished.runId} is ${unfinished.status}: add --cancel to cancel and remove it`,
    );
  const pin = runs.find(({ labels }) => labels?.isPinned === true);
  if (pin !== undefined && pinned !== true)
    throw new UsageError(`run ${pin.runId} is pinned (${labelText(pin)}): add --pinned to remove it, too`);
}

function isAgreed({ terminal }: CommandContext, runs: readonly RunView[]): boolean | Promise<boolean> {
  const rows = runs.reduce((sum, run) => sum + run.rows, 0);
  const what = `${counted(runs.length, 'run')} with ${count(rows)} ${rows === 1 ? 'row' : 'rows'}`;
  if (terminal.ask === undefined) throw new UsageError(`add --yes to remove ${what}`);
  const pinned = runs.filter(({ labels }) => labels?.isPinned === true);
  for (const run of pinned) terminal.err(`Run ${run.runId} is pinned: ${labelText(run)}.\n`);
  return confirm(terminal.ask, `Remove ${what}? This cannot be undone.`);
}
