import type { Command } from 'commander';
import type { HostPort } from '../../domain/host-port.ts';
import { environmentSecrets } from '../../domain/secrets/secret.ts';
import type { CommandContext } from '../context.ts';
import { databaseOptions, teamOf, type DatabaseFlags } from '../options/database-options.ts';
import { UsageError } from '../exit-code.ts';
import { metricsAt, metricsOption } from '../options/listen-options.ts';
import { plainLog } from '../terminal/plain-log.ts';
import { listenForStop, unlessStopped } from '../terminal/stop-signal.ts';

type WorkOptions = DatabaseFlags & { readonly jsonLog?: boolean; readonly metrics?: HostPort };

const examples = `
Examples:
  $ rowbench work --database
  $ rowbench work --database --slots 8 --name worker-1

Environment:
  ROWBENCH_DATABASE_URL      the database, as in postgres://rowbench_worker@db.example.com/rowbench?sslmode=verify-full
  ROWBENCH_SECRET_KEY_FILE   file with the key of the team's secrets`;

/** `rowbench work`: executes runs of a team, until the process is told to stop. */
export function addWorkCommand(program: Command, context: CommandContext): void {
  const work = program
    .command('work')
    .summary('execute runs of a team on this machine')
    .description(
      'Executes runs of a team on this machine, until it is stopped with Ctrl-C. Start it on as many machines as you like.\n' +
        'What a stopped worker had begun goes on at another one.',
    )
    .addOption(metricsOption())
    .option('--json-log', 'log every event as a line of JSON on standard error')
    .addHelpText('after', examples)
    .action((options: WorkOptions) => workCommand(context, options));
  for (const option of databaseOptions()) work.addOption(option);
}

async function workCommand(context: CommandContext, options: WorkOptions): Promise<void> {
  const { terminal, clock, workerScript } = context;
  const team = teamOf(context, options);
  if (team === undefined) throw new UsageError('rowbench work needs --database');
  if (team.slots === 0) throw new UsageError('--slots 0 leaves a worker without work');
  const log =
    options.jsonLog === true ? (await import('../../app/log.ts')).createLog('info') : plainLog(terminal);
  const stopSignal = listenForStop(clock, log);
  const { startTeamWorker } = await import('../../app/team/start-team-worker.ts');
  const extraSecrets = environmentSecrets(terminal.env);
  const figures = await metricsAt(options.metrics, { clock, log });
  const { metrics, address: metricsAddress } = figures ?? {};
  const stopped = stopSignal.signal;
  const start = { ...team, metrics, metricsAddress, stopped, workerScript, extraSecrets, clock, log };
  const worker = await unlessStopped(stopSignal, startTeamWorker(start)).catch(async (error: unknown) => {
    await figures?.close();
    throw error;
  });
  if (worker === undefined) return stopSignal.finish(async () => figures?.close());
  if (figures !== undefined) terminal.err(`Metrics at ${figures.url}\n`);
  await terminal.out(`Rowbench worker ${team.name} is ready, with ${team.slots} slots\n`);
  await stopSignal.requested;
  if (options.jsonLog !== true) terminal.err('Stopping; what is under way goes on at another worker.\n');
  await stopSignal.finish(async () => {
    await worker.close();
    await figures?.close();
  });
}
