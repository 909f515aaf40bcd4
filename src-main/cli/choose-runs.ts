// Selects the runs for a verb: named runs, or those that match a filter. More than one run that the user has not named
// is moved only after a yes.
import type { Call, RunView } from '../contract/index.ts';
import type { RunFilter } from '../domain/run/run-filter.ts';
import { confirm } from './ask-at-terminal.ts';
import type { CommandContext } from './context.ts';
import { UsageError } from './exit-code.ts';
import { filterOf, type FilterOptions } from './run-filter-options.ts';

export type ChoiceOptions = FilterOptions & { readonly yes?: boolean };

export type Choice = {
  /** As they were named. */
  readonly named: readonly string[];
  readonly options: ChoiceOptions;
  /** As in "Cancel 3 runs?". */
  readonly verb: string;
  /** True if the action applies to the run in its current status. */
  readonly suits: (run: RunView) => boolean;
};

/** As many as the server lists. */
const maxListedRuns = 10_000;

export type Chosen = { readonly ids: readonly string[]; readonly filter: RunFilter };

/** Undefined after a no. Throws a UsageError when the command selects no runs, or when no user can be asked. */
export async function chooseRuns(
  context: CommandContext,
  call: Call,
  choice: Choice,
): Promise<Chosen | undefined> {
  const { named, options } = choice;
  const filter = filterOf(options, context.clock.now());
  const isFiltered = Object.keys(filter).length > 0;
  if (named.length > 0 && isFiltered) throw new UsageError('Name runs or say which fit, not both');
  if (named.length > 0) return { ids: named, filter };
  if (!isFiltered) throw new UsageError('Name a run, or say which runs with --status, --workflow or --since');
  const found = (await call('run.list', { ...filter, limit: maxListedRuns })).filter(choice.suits);
  const ids = found.map(({ runId }) => runId);
  if (ids.length > 1 && options.yes !== true && !(await isAgreed(context, choice.verb, found)))
    return undefined;
  return { ids, filter };
}

function isAgreed(
  { terminal }: CommandContext,
  verb: string,
  runs: readonly RunView[],
): boolean | Promise<boolean> {
  const workflows = [...new Set(runs.map(({ workflowId }) => workflowId))];
  const where = workflows.length === 1 ? `of ${workflows.join('')}` : `of ${workflows.length} workflows`;
  if (terminal.ask === undefined)
    throw new UsageError(`${runs.length} runs ${where} fit: add --yes to ${verb.toLowerCase()} them all`);
  return confirm(terminal.ask, `${verb} ${runs.length} runs ${where}?`);
}
