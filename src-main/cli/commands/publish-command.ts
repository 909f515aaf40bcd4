import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import { Option, type Command } from 'commander';
import { counted } from '../../domain/format.ts';
import { findReach } from '../../domain/trust/reach.ts';
import type { Call } from '../../contract/index.ts';
import type { Publication, PublishedFile } from '../../domain/workflow/publication.ts';
import { assertSendable } from '../../services/workflows/publish-uploaded.ts';
import { planPublish, type PublishPlan } from '../../services/workflows/plan-publish.ts';
import { confirm } from '../terminal/ask-at-terminal.ts';
import { printJson, type CommandContext } from '../context.ts';
import { jsonOption, withControl } from '../control-command.ts';
import { serverOption } from '../options/data-option.ts';
import { describeReach } from '../describe-workflow.ts';
import { exitCode, UsageError } from '../exit-code.ts';
import { printable } from '../format.ts';
import { plainLog } from '../terminal/plain-log.ts';

type PublishOptions = {
  readonly server?: string;
  readonly database?: true;
  readonly yes?: true;
  readonly json?: boolean;
};

/** Longer than the server waits for all files, in ms. */
const sendTimeoutMs = 150_000;

const examples = `
Examples:
  $ export ROWBENCH_TOKEN=rbt_…
  $ rowbench publish ./flows --server https://rowbench.example.org
  $ rowbench publish ./flows --database

With --server, the token is that of an admin. With --database, the address is in ROWBENCH_DATABASE_URL.`;

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
    .addOption(serverOption())
    .addOption(new Option('--database', 'write to the database of the team').conflicts('server'))
    .option('--yes', 'publish without asking')
    .addOption(jsonOption())
    .addHelpText('after', examples)
    .action((folder: string, options: PublishOptions) => publish(context, folder, options));
}

async function publish(context: CommandContext, folder: string, options: PublishOptions): Promise<void> {
  const { server, database } = options;
  if (server === undefined && database !== true)
    throw new UsageError('Say where to publish: --server URL, or --database');
  if (!existsSync(folder)) throw new UsageError(`${folder}: no such folder`);
  const plan = await planPublish(resolve(folder));
  const publishTo = (target: Target): Promise<void> => publishPlan(context, plan, { ...options, target });
  if (server === undefined) return publishTo(databaseOf(context));
  return withControl(context, { server, timeoutMs: sendTimeoutMs }, (call) => publishTo(serverOf(call)));
}

type Target = (files: readonly PublishedFile[]) => Promise<Publication>;

async function publishPlan(
  context: CommandContext,
  plan: PublishPlan,
  { target, ...options }: PublishOptions & { readonly target: Target },
): Promise<void> {
  const { terminal, exitWith } = context;
  terminal.err(describePlan(plan));
  if (plan.problems.length > 0 || !(await isConfirmed(context, plan, options))) {
    terminal.err('Nothing was published.\n');
    return exitWith(exitCode.failed);
  }
  const publication = await target(plan.files);
  if (options.json === true) return printJson(context, publication);
  const { added, changed, removed } = publication;
  terminal.err(
    `Published ${counted(plan.workflows.length, 'workflow')}: ${counted(added, 'file')} added, ${changed} changed, ${removed} removed.\n`,
  );
}

const databaseOf =
  ({ terminal }: CommandContext): Target =>
  async (files) => {
    const { publishToDatabase } = await import('../../app/team/database-commands.ts');
    const deps = { environment: terminal.env, log: plainLog(terminal) };
    return publishToDatabase(deps, files, userInfo().username);
  };

const serverOf =
  (call: Call): Target =>
  async (files) => {
    assertSendable(files);
    const sent = files.map(({ path, bytes }) => ({ path, content: Buffer.from(bytes).toString('base64') }));
    const { added, changed, removed } = await call('workflow.publish', { files: sent });
    return { added, changed, removed };
  };

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
