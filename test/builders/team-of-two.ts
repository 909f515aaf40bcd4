// Services alone, or two servers of a team with a worker, for specs that hold for both.
import { openTeamBackend } from '../../src-main/app/team/open-team-backend.ts';
import { onTestFinished } from 'vitest';
import { openTestServices, type TestServices } from './open-test-services.ts';
import { whyNoPostgres } from './postgres-server.ts';
import { createTestDatabase } from './team-database.ts';
import { startTeamWorker } from './team-processes.ts';

export type ServicePair = {
  /** The services that a run is started with. */
  readonly first: TestServices;
  /** The services that are asked about it. */
  readonly second: TestServices;
  /** Stops what executes rows in the middle of them, and starts it again. */
  restart(): Promise<void>;
};

/** A server's own folder of workflows stands for what was published to it. */
async function openTeamOfTwo(workflows: Record<string, string>): Promise<ServicePair> {
  const { url } = await createTestDatabase();
  const open = (name: string) =>
    openTestServices(workflows, {
      openBackend: openTeamBackend({ environment: { ROWBENCH_DATABASE_URL: url }, name, slots: 0 }),
    });
  const [first, second] = [await open('one'), await open('two')];
  const workers = [await startTeamWorker(url)];
  onTestFinished(async () => {
    await Promise.all(workers.map((worker) => worker.stop()));
  });
  const restart = async (): Promise<void> => {
    await Promise.all(workers.splice(0).map((worker) => worker.stop()));
    workers.push(await startTeamWorker(url));
  };
  return { first, second, restart };
}

async function openAlone(workflows: Record<string, string>): Promise<ServicePair> {
  let services = await openTestServices(workflows);
  const { dataDir } = services;
  return {
    get first() {
      return services;
    },
    get second() {
      return services;
    },
    restart: async () => {
      await services.close();
      services = await openTestServices({}, { dataDir });
    },
  };
}

/** Both kinds of services, and how to open them. */
export const aloneAndTeam: readonly (readonly [
  string,
  (workflows: Record<string, string>) => Promise<ServicePair>,
])[] = [
  ['a server alone', openAlone],
  ...(whyNoPostgres === undefined ? [['a team', openTeamOfTwo] as const] : []),
];
