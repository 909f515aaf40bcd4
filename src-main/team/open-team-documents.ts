// Opens the documents of a team, and keeps them up to date while other servers change them. Who calls: open-team.ts.
import { isDeepStrictEqual } from 'node:util';
import type { CancelTimer, Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import {
  browsersDocument,
  decisionsDocument,
  keysDocument,
  retentionDocument,
  secretsDocument,
  settingsDocument,
  tokensDocument,
  type DocumentDefinition,
} from '../storage/document-definitions.ts';
import { copyNetworks, networksDocument, networksIn } from './networks-document.ts';
import type { Sql, TeamSql } from './sql.ts';
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
