// Opens the documents of a team, and keeps them up to date while other servers change them. Who calls: open-team.ts.
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { CancelTimer, Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { defaultNetwork, type WorkflowsFile } from '../../domain/trust/workflows-file.ts';
import { addressClasses, type AddressClass } from '../../domain/upstream/address-class.ts';
import {
  browsersDocument,
  decisionsDocument,
  keysDocument,
  retentionDocument,
  secretsDocument,
  settingsDocument,
  tokensDocument,
  type DocumentDefinition,
} from '../../storage/documents/document-definitions.ts';
import type { Sql, TeamSql } from '../sql.ts';
import { documentsChannel, TeamDocument, type DocumentTable } from './team-document.ts';

type Deps = { readonly database: TeamSql; readonly clock: Clock; readonly log: Log };

/** Interval of the checks for changes whose notice was lost, in ms. */
const lookEveryMs = 1000;

/** Documents that a server needs. Throws `data_unreadable`. */
export async function openTeamDocuments(deps: Deps) {
  const open = opener(deps, false);
  const documents = {
    settings: await open('documents', settingsDocument),
    retention: await open('documents', retentionDocument),
    keys: await open('private_documents', keysDocument),
    browsers: await open('private_documents', browsersDocument),
    tokens: await open('private_documents', tokensDocument),
    networks: await open('documents', networksDocument),
    workflows: await open('private_documents', decisionsDocument, copyNetworks),
    secrets: await open('secrets', secretsDocument),
  };
  const { networks, workflows } = documents;
  if (!isDeepStrictEqual(networks.value, networksIn(workflows.value)))
    await workflows.update((decisions) => ({ ...decisions }));
  return { ...documents, close: await follow(Object.values(documents), deps) };
}

/** Documents that a worker may read. */
export async function openWorkerDocuments(deps: Deps) {
  const open = opener(deps, true);
  const documents = {
    settings: await open('documents', settingsDocument),
    networks: await open('documents', networksDocument),
    secrets: await open('secrets', secretsDocument),
  };
  return { ...documents, close: await follow(Object.values(documents), deps) };
}

const opener =
  ({ database, log }: Deps, isReadOnly: boolean) =>
  <T extends object>(
    table: DocumentTable,
    definition: DocumentDefinition<T>,
    onUpdate?: (sql: Sql, value: T) => Promise<void>,
  ): Promise<TeamDocument<T>> =>
    TeamDocument.open({ database, table, definition, isReadOnly, onUpdate, log });

type Followed = { readonly name: string; latest(): Promise<object> };

/** Reads documents again when another server has changed them. Returns how to stop it. */
async function follow(
  documents: readonly Followed[],
  { database, clock, log }: Deps,
): Promise<() => Promise<void>> {
  let cancel: CancelTimer | undefined;
  let isClosed = false;
  const look = async (name?: string): Promise<void> => {
    try {
      await Promise.all(
        documents.filter((each) => name === undefined || each.name === name).map((each) => each.latest()),
      );
    } catch (error) {
      log.warn({ error }, 'documents could not be read from the database');
    }
  };
  const lookAgain = (): void => {
    if (isClosed) return;
    cancel = clock.setTimer(lookEveryMs, () => void look().then(lookAgain));
  };
  const listener = await database.listen(
    { [documentsChannel]: (name) => void look(name) },
    () => void look(),
  );
  lookAgain();
  return async () => {
    isClosed = true;
    cancel?.();
    await listener.close();
  };
}

/**
 * The networks that the calls of each workflow may reach, as users have granted them: a copy of a part of the trust decisions,
 * which workers cannot read.
 */
const networksFileSchema = z.object({
  version: z.literal(1),
  /** By workflow; absent: `defaultNetwork`. */
  networks: z.record(z.string(), z.array(z.enum(addressClasses))),
});
type NetworksFile = z.infer<typeof networksFileSchema>;

const networksDocument: DocumentDefinition<NetworksFile> = {
  name: 'networks',
  schema: networksFileSchema,
  initial: () => ({ version: 1, networks: {} }),
};

/** The networks of trust decisions. */
export const networksIn = ({ workflows }: WorkflowsFile): NetworksFile => ({
  version: 1,
  networks: Object.fromEntries(
    workflows.flatMap(({ id, network }) => (network === undefined ? [] : [[id, network]])),
  ),
});

export const networkIn = ({ networks }: NetworksFile, workflowId: string): readonly AddressClass[] =>
  Object.hasOwn(networks, workflowId) ? (networks[workflowId] ?? defaultNetwork) : defaultNetwork;

/** Copies the networks in the transaction that changes the decisions. */
async function copyNetworks(sql: Sql, decisions: WorkflowsFile): Promise<void> {
  const { name } = networksDocument;
  await sql.query('update rowbench.documents set version = version + 1, value = $2 where name = $1', [
    name,
    JSON.stringify(networksIn(decisions)),
  ]);
  await sql.query('select pg_notify($1, $2)', [documentsChannel, name]);
}
