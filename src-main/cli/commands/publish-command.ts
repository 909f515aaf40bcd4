import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { counted } from '../../domain/format.ts';
import { findReach } from '../../domain/trust/reach.ts';
import { planPublish, type PublishPlan } from '../../services/plan-publish.ts';
import { confirm } from '../ask-at-terminal.ts';
import { printJson, type CommandContext } from '../context.ts';
import { jsonOption } from '../control-command.ts';
import { describeReach } from '../describe-workflow.ts';
import { exitCode, UsageError } from '../exit-code.ts';
import { printable } from '../format.ts';
import { plainLog } from '../plain-log.ts';

type PublishOptions = { readonly database?: true; readonly yes?: true; readonly json?: boolean };

const examples = `
The database's address is in ROWBENCH_DATABASE_URL.

Example:
  $ rowbench publish ./flows --database`;

/** `rowbench publish`: the workflows of a folder become those of a team. */
export function addPublishCommand(program: Command, context: CommandContext): void {
  program
    .command('publish')
    .summary('publish the workflows of a folder to a team')
    .description(
      'Publishes all workflows of a folder to the servers of a team, with the files that they need, in place of those\n' +
        'published before. Shows whom they may call and all of their code, and asks before it publishes.',
    )
    .argument('<folder>', 'folder with workflow files')
    .option('--database', 'write to the database of the team')
    .option('--yes', 'publish without asking')
    .addOption(jsonOption())
    .addHelpText('after', examples)
    .action((folder: string, options: PublishOptions) => publish(context, folder, options));
}

async function publish(context: CommandContext, folder: string, options: PublishOptions): Promise<void> {
  const { terminal, exitWith } = context;
  if (options.database !== true) throw new UsageError('Say where to publish: --database');
  if (!existsSync(folder)) throw new UsageError(`${folder}: no such folder`);
  const plan = await planPublish(resolve(folder));
  terminal.err(describePlan(plan));
  if (plan.problems.length > 0 || !(await isConfirmed(context, plan, options))) {
    terminal.err('Nothing was published.\n');
    return exitWith(exitCode.failed);
  }
  const { publishToDatabase } = await import('../../app/database-commands.ts');
  const deps = { environment: terminal.env, log: plainLog(terminal) };
  const publication = await publishToDatabase(deps, plan.files, userInfo().username);
  if (options.json === true) return printJson(context, publication);
  const { added, changed, removed } = publication;
  terminal.err(
    `Published ${counted(plan.workflows.length, 'workflow')}: ${counted(added, 'file')} added, ${changed} changed, ${removed} removed.\n`,
  );
}

async function isConfirmed(
  { terminal }: CommandContext,
  { workflows }: PublishPlan,
  { yes }: PublishOptions,
): Promise<boolean> {
  if (yes === true) return true;
  if (terminal.ask === undefined) throw new UsageError('Add --yes to publish without a terminal to ask at');
  return confirm(terminal.ask, `Trust and publish ${counted(workflows.length, 'workflow')}?`);
}

const describePlan = ({ workflows, problems }: PublishPlan): string =>
  problems.length > 0
    ? problems.map((problem) => `error: ${printable(problem)}\n`).join('')
    : workflows
        .map(({ workflow, file, files, warnings }) => {
          const lines = [
            `${workflow.id} (${file})`,
            ...(files.length === 0 ? [] : [`  with ${files.join(', ')}`]),
            ...warnings.map((warning) => `  ${warning}`),
          ];
          return lines.map((line) => `${printable(line)}\n`).join('') + describeReach(findReach(workflow));
        })
        .join('');
