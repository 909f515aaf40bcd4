// A worker of a team: it executes segments of runs, and serves nothing. Who calls: `rowbench work --database`, by a dynamic
// import.
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { systemClock } from '../base/system-clock.ts';
import type { Secret } from '../domain/secrets/secret.ts';
import { Broker } from '../executor/upstream/broker.ts';
import { PlanCache } from '../services/plan-cache.ts';
import { SecretService } from '../services/secret-service.ts';
import { createTemporaryFolder } from '../files/temporary-folder.ts';
import { SnapshotStore } from '../storage/snapshot-store.ts';
import { networkOfAccess } from '../team/accept-run.ts';
import { networkIn } from '../team/networks-document.ts';
import { openWorkerDocuments } from '../team/open-team-documents.ts';
import { openTeam } from '../team/open-team.ts';
import { TeamDatabase } from '../team/team-database.ts';
import { noVault, TeamVault } from '../team/team-vault.ts';
import { openProcesses } from './open-processes.ts';
import type { TeamBackendOptions } from './open-team-backend.ts';
import { siblingOfWorker } from './sibling-of-worker.ts';
import { stopInOrder, type StopStep } from './stop-in-order.ts';
import { createUpstreamsWithin, proxyWhen } from './upstreams.ts';
import { version } from './version.ts';

type TeamWorkerOptions = TeamBackendOptions & {
  /** Path of the bundled row worker. */
  readonly workerScript: string;
  readonly extraSecrets?: readonly Secret[];
  readonly clock?: Clock;
  readonly log: Log;
};

/** Ends the rows under way, whose segments go back to the queue. Never rejects. */
export type RunningWorker = { close(): Promise<void> };

/** Throws `invalid_input` for a database that has other tables than this version needs. */
export async function startTeamWorker(options: TeamWorkerOptions): Promise<RunningWorker> {
  const { name, slots, secretKeyFile, workerScript, clock = systemClock, log } = options;
  const entry = { name, kind: 'worker', version, slots } as const;
  const team = await openTeam({ ...options, entry, clock });
  const { database } = team;
  const folder = await createTemporaryFolder();
  const documents = await openWorkerDocuments({ database, clock, log });
  const settings = documents.settings.value;
  const { processes, pool } = openProcesses({ dataDir: folder.path, workerScript, clock, log }, settings);
  const questionScript = siblingOfWorker(workerScript, 'question-thread.js');
  const rows = await TeamDatabase.open({ sql: database, clock, questionScript, sweeps: false });
  const secrets = new SecretService({
    document: documents.secrets,
    vault:
      secretKeyFile === undefined
        ? noVault
        : await TeamVault.open(database, secretKeyFile, { isReadOnly: true }),
    temporary: options.extraSecrets ?? [],
    clock,
  });
  const broker = new Broker({
    secrets,
    ownPorts: () => new Set(),
    ownServers: team.ownServers,
    reservations: team.reservations,
    userAgent: `Rowbench/${version}`,
    clock: systemClock,
    log,
    proxyFor: proxyWhen(settings.proxy === 'environment'),
  });
  const upstreamsWithin = createUpstreamsWithin({ broker, isByFlagOnly: false, clock });
  const snapshots = new SnapshotStore(rows);
  const grantedTo = (id: string) => networkIn(documents.networks.value, id);
  const worker = team.openWorker({
    rows,
    plans: new PlanCache(snapshots),
    snapshots,
    pool,
    upstreamOf: (run, { access, cassette }) =>
      upstreamsWithin(networkOfAccess(access, grantedTo), cassette)(run),
    clock,
    log,
    slots,
  });
  await worker.start();
  const steps: readonly StopStep[] = [
    { name: 'rows', budgetMs: 4000, stop: () => worker.close() },
    { name: 'row workers', budgetMs: 450, stop: () => processes.close() },
    { name: 'calls to services', budgetMs: 250, stop: () => broker.close() },
    { name: 'documents', budgetMs: 250, stop: () => documents.close() },
    { name: 'rows of runs', budgetMs: 250, stop: () => rows.close() },
    { name: 'database', budgetMs: 1000, stop: () => team.close() },
    { name: 'temporary folder', budgetMs: 500, stop: () => folder.remove() },
  ];
  return { close: () => stopInOrder(steps, { clock, log }) };
}
