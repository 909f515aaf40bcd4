import { Option, type Command } from 'commander';
import type { Call, WorkflowDetail } from '../../contract/index.ts';
import { confirm } from '../terminal/ask-at-terminal.ts';
import type { CommandContext } from '../context.ts';
import { withControl } from '../control-command.ts';
import { dataOption, serverOption, type DataOption } from '../options/data-option.ts';
import { exitCode } from '../exit-code.ts';
import { describeDetail } from './workflows-command.ts';

type TrustOptions = DataOption & { readonly revoke?: boolean; readonly yes?: boolean };

const examples = `
Examples:
  $ rowbench trust score-leads
  $ rowbench trust --revoke score-leads`;

/** `rowbench trust`: lets imported workflows run, or no longer. */
export function addTrustCommand(program: Command, context: CommandContext): void {
  program
    .command('trust')
    .summary('let imported workflows run')
    .description(
      'Shows what imported workflows could do (whom they may call, all of their code) and lets them run. At a terminal\n' +
        'it asks first; in a script, naming a workflow is the yes.',
    )
    .argument('<workflow...>', 'ids of workflows, as in "rowbench workflows list"')
    .addOption(new Option('--revoke', 'let them run no longer; runs that were accepted go on'))
    .option('--yes', 'do not ask')
    .addOption(dataOption())
    .addOption(serverOption())
    .addHelpText('after', examples)
    .action((workflows: string[], options: TrustOptions) => trustCommand(context, workflows, options));
}

function trustCommand(
  context: CommandContext,
  workflows: readonly string[],
  options: TrustOptions,
): Promise<void> {
  return withControl(context, options, async (call) => {
    // All are looked up before any is decided on.
    const details: WorkflowDetail[] = [];
    for (const workflowId of workflows) details.push(await call('workflow.show', { workflowId }));
    if (options.revoke === true) await revokeAll(context, call, details);
    else await trustAll(context, call, { details, asks: options.yes !== true });
  });
}

async function revokeAll(
  { terminal }: CommandContext,
  call: Call,
  details: readonly WorkflowDetail[],
): Promise<void> {
  for (const { id } of details) {
    await call('workflow.revoke', { workflowId: id });
    terminal.err(`Workflow ${id} is not trusted any more.\n`);
  }
}

type TrustRequest = { readonly details: readonly WorkflowDetail[]; readonly asks: boolean };

async function trustAll(
  { terminal, exitWith }: CommandContext,
  call: Call,
  { details, asks }: TrustRequest,
): Promise<void> {
  for (const detail of details) terminal.err(describeDetail(detail));
  const isAgreed = !asks || terminal.ask === undefined || (await confirm(terminal.ask, question(details)));
  if (!isAgreed) {
    terminal.err('Nothing was changed.\n');
    return exitWith(exitCode.failed);
  }
  for (const { id, hash } of details) {
    await call('workflow.trust', { workflowId: id, hash });
    terminal.err(`Workflow ${id} is trusted.\n`);
  }
}

const question = (details: readonly WorkflowDetail[]): string =>
  details.length === 1 ? 'Trust this workflow?' : `Trust these ${details.length} workflows?`;
