import type { Command } from 'commander';
import type { RunView } from '../../contract/index.ts';
import type { LabelChanges } from '../../domain/run/run-labels.ts';
import { printJson, type CommandContext } from '../context.ts';
import { jsonOption, withControl } from '../control-command.ts';
import { dataOption, serverOption, type DataOption } from '../options/data-option.ts';
import { UsageError } from '../exit-code.ts';
import { printable } from '../format.ts';

type JsonOption = DataOption & { readonly json?: boolean };
type LabelOptions = JsonOption & {
  readonly name?: string;
  readonly note?: string;
  readonly tag?: readonly string[];
  readonly untag?: readonly string[];
};

const examples = `
Examples:
  $ rowbench runs label RUN --name "Before the new prompt" --tag baseline
  $ rowbench runs label RUN --untag baseline --note ""
  $ rowbench runs list --tag baseline`;

/** `rowbench runs label`, `pin` and `unpin`: how people find a run again. */
export function addLabelCommands(runs: Command, context: CommandContext): void {
  runs
    .command('label')
    .summary('name a run, or add a note and tags')
    .description("Changes a run's name, note and tags. An empty text removes a name or a note.")
    .argument('<run>', "the run's id, or 4 or more characters of its beginning or end")
    .option('--name <name>', 'the name, up to 200 characters')
    .option('--note <note>', 'the note, up to 10,000 characters')
    .option('--tag <tag...>', 'tags to add, up to 50 characters each; a run has 20 at most')
    .option('--untag <tag...>', 'tags to remove')
    .addOption(dataOption())
    .addOption(serverOption())
    .addOption(jsonOption())
    .addHelpText('after', examples)
    .action((runId: string, options: LabelOptions) => labelRun(context, runId, options));
  for (const isPinned of [true, false])
    runs
      .command(isPinned ? 'pin' : 'unpin')
      .description(
        isPinned ? 'Pins runs: retention never removes them.' : 'Lets retention remove runs again.',
      )
      .argument('<run...>', "the runs' ids, or 4 or more characters of an id's beginning or end")
      .addOption(dataOption())
      .addOption(serverOption())
      .addOption(jsonOption())
      .addHelpText('after', `\nExamples:\n  $ rowbench runs ${isPinned ? 'pin' : 'unpin'} RUN OTHER`)
      .action((runIds: string[], options: JsonOption) => pinRuns(context, { runIds, isPinned, options }));
}

async function labelRun(context: CommandContext, runId: string, options: LabelOptions): Promise<void> {
  const { name, note, tag = [], untag = [] } = options;
  if (name === undefined && note === undefined && tag.length + untag.length === 0)
    throw new UsageError('Say what to change with --name, --note, --tag or --untag');
  const run = await withControl(context, options, async (call) => {
    const { labels } = await call('run.show', { runId });
    const tags = new Set([...(labels?.tags ?? []), ...tag]);
    for (const removed of untag) tags.delete(removed);
    const changes: LabelChanges = {
      name,
      note,
      ...(tag.length + untag.length === 0 ? {} : { tags: [...tags] }),
    };
    return call('run.label', { runId, changes });
  });
  if (options.json === true) return printJson(context, run);
  context.terminal.err(`${run.runId}: ${labelText(run) === '' ? 'no labels' : labelText(run)}\n`);
}

async function pinRuns(
  context: CommandContext,
  { runIds, isPinned, options }: { runIds: readonly string[]; isPinned: boolean; options: JsonOption },
): Promise<void> {
  const runs = await withControl(context, options, async (call) => {
    const changed: RunView[] = [];
    for (const runId of runIds) changed.push(await call('run.label', { runId, changes: { isPinned } }));
    return changed;
  });
  if (options.json === true) return printJson(context, runs);
  for (const { runId } of runs) context.terminal.err(`${isPinned ? 'Pinned' : 'Unpinned'} ${runId}.\n`);
}

/** `pinned, "Before the new prompt", #baseline`; empty for a run without labels. */
export function labelText({ labels = {} }: RunView): string {
  const { name, tags = [], isPinned } = labels;
  return [
    ...(isPinned === true ? ['pinned'] : []),
    ...(name === undefined ? [] : [`"${printable(name)}"`]),
    ...tags.map((tag) => `#${printable(tag)}`),
  ].join(', ');
}
