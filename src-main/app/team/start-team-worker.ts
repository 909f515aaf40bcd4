// A worker of a team: it executes segments of runs, and serves nothing. Who calls: `rowbench work --database`, by a dynamic
// import.
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { systemClock } from '../../base/system-clock.ts';
import type { HostPort } from '../../domain/host-port.ts';
import type { Secret } from '../../domain/secrets/secret.ts';
import { Broker } from '../../executor/upstream/broker.ts';
import { PlanCache } from '../../services/runs/plan-cache.ts';
import { SecretService } from '../../services/access/secret-service.ts';
import { createTemporaryFolder } from '../../files/temporary-folder.ts';
import { SnapshotStore } from '../../storage/runs/snapshot-store.ts';
import { networkOfAccess } from '../../team/segments/accept-run.ts';
import { openWorkerDocuments, networkIn } from '../../team/documents/open-team-documents.ts';
import { openTeam } from '../../team/open-team.ts';
import { TeamDatabase } from '../../team/team-database.ts';
import { noVault, TeamVault } from '../../team/documents/team-vault.ts';
import { openProcesses } from '../open-processes.ts';
import type { TeamBackendOptions } from './open-team-backend.ts';
import { reachableAddresses } from './reachable-addresses.ts';
import { siblingOfWorker } from '../../services/platform.ts';
import { stopInOrder, type StopStep } from '../stop-in-order.ts';
import { createUpstreamsWithin, proxyWhen } from '../../services/runs/upstreams.ts';
import { version } from '../../base/version.ts';

type TeamWorkerOptions = TeamBackendOptions & {
  /** Path of the bundled row worker. */
  readonly workerScript: string;
  readonly extraSecrets?: readonly Secret[];
  /** Where its figures are served, which no workflow of the team may call. */
  readonly metricsAddress?: HostPort | undefined;
  readonly clock?: Clock;
  readonly log: Log;
};

/** Ends the rows under way, whose segments go back to the queue. Never rejects. */
type RunningWorker = { close(): Promise<void> };

/** Throws `invalid_input` for a database that has other tables than this version needs. */
export async function startTeamWorker(options: TeamWorkerOptions): Promise<RunningWorker> {
  const { name, slots, secretKeyFile, workerScript, clock = systemClock, log } = options;
  const entry = { name, kind: 'worker', version, slots } as const;
  const team = await openTeam({ ...options, entry, clock });
  const { database } = team;
  if (options.metricsAddress !== undefined) await team.listenAt(reachableAddresses(options.metricsAddress));
  const folder = await createTemporaryFolder();
  const documents = await openWorkerDocuments({ database, clock, log });
  const settings = documents.settings.value;
  const processes = openProcesses({ dataDir: folder.path, workerScript, clock, log }, settings);
  const questionScript = siblingOfWorker(workerScript, 'question-thread.cjs');
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
    // The list of the team's addresses may be a second old.
    ownPorts: () => new Set(options.metricsAddress === undefined ? [] : [options.metricsAddress.port]),
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
    pool: processes.pool,
    upstreamOf: (run, { access, cassette, sharedAnswers }) =>
      upstreamsWithin(networkOfAccess(access, grantedTo), cassette, sharedAnswers)(run),
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
