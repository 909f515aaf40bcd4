// What the command line does with a team's database. Loaded by its commands only: nothing else needs a database.
import type { Log } from '../../base/log.ts';
import {
  migrateTeam,
  readDatabaseStatus,
  withDatabase,
  type DatabaseStatus,
  type MigratedTeam,
  type MigrateOptions,
} from '../../team/admin/administer-database.ts';
import { assertMigrated } from '../../team/admin/migrate-database.ts';
import type { Publication, PublishedFile } from '../../domain/workflow/publication.ts';
import { publishFiles } from '../../team/documents/published-files.ts';

export type DatabaseDeps = {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
};

/** Throws `invalid_input`. */
export const migrateTeamDatabase = (deps: DatabaseDeps, options: MigrateOptions): Promise<MigratedTeam> =>
  withDatabase(deps, (database) => migrateTeam(database, options, deps.log));

/** Throws `invalid_input`. */
export const showDatabaseStatus = (deps: DatabaseDeps): Promise<DatabaseStatus> =>
  withDatabase(deps, readDatabaseStatus);

/** Replaces what is published in the database. Throws `invalid_input`. */
export const publishToDatabase = (
  deps: DatabaseDeps,
  files: readonly PublishedFile[],
  publishedBy: string,
): Promise<Publication> =>
  withDatabase(deps, async (database) => {
    await assertMigrated(database);
    return publishFiles(database, files, publishedBy);
  });
