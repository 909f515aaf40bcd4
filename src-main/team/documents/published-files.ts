// The files that were published to a team: workflows, and what lies beside them. `rowbench publish` writes them; servers
// and workers copy them into a folder of their own. INVARIANT: a folder holds exactly one publication.
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { CancelTimer, Clock } from '../../base/clock.ts';
import { Emitter } from '../../base/emitter.ts';
import type { Log } from '../../base/log.ts';
import { Mutex } from '../../base/mutex.ts';
import { dataUnreadable } from '../../domain/store-errors.ts';
import { isPortableName } from '../../domain/workflow/file-names.ts';
import type { Publication, PublishedFile } from '../../domain/workflow/publication.ts';
import { nodeFileSystem } from '../../files/node-file-system.ts';
import { createTemporaryFolder } from '../../files/temporary-folder.ts';
import { DurableFiles } from '../../storage/durable/durable-files.ts';
import type { TeamSql } from '../sql.ts';

const channel = 'rowbench_published';
/** Interval of the checks for a publication whose notice was lost, in ms. */
const lookEveryMs = 1000;

/** Digest of the published files; each publication has its own. */
const digestQuery = `select md5(coalesce(string_agg(path || ' ' || hash, ',' order by path), '')) from rowbench.published_files`;

/** Replaces all published files, in one transaction. */
export function publishFiles(
  database: TeamSql,
  files: readonly PublishedFile[],
  publishedBy: string,
): Promise<Publication> {
  return database.transaction(async (sql) => {
    await sql.run('lock table rowbench.published_files in share row exclusive mode');
    const before = new Map(
      (
        await sql.query<{ path: string; hash: string }>('select path, hash from rowbench.published_files')
      ).map(({ path, hash }) => [path, hash]),
    );
    const paths = files.map(({ path }) => path);
    await sql.query('delete from rowbench.published_files where path <> all($1)', [paths]);
    const hashed = files.map((file) => ({ ...file, hash: hashOf(file.bytes) }));
    const changed = hashed.filter(({ path, hash }) => before.get(path) !== hash);
    for (const { path, bytes, hash } of changed)
      await sql.query(
        `insert into rowbench.published_files (path, bytes, hash, published_by) values ($1, $2, $3, $4)
         on conflict (path) do update set bytes = excluded.bytes, hash = excluded.hash,
         published_at = now(), published_by = excluded.published_by`,
        [path, bytes, hash, publishedBy],
      );
    await sql.query(`select pg_notify($1, '')`, [channel]);
    const added = changed.filter(({ path }) => !before.has(path)).length;
    const removed = [...before.keys()].filter((path) => !paths.includes(path)).length;
    return { added, changed: changed.length - added, removed };
  });
}

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

type Deps = { readonly database: TeamSql; readonly clock: Clock; readonly log: Log };

export class PublishedFolder {
  /** Emits when files were published. */
  readonly changes: Emitter<void>;
  readonly #deps: Deps;
  readonly #temporary: { readonly path: string; remove(): Promise<void> };
  readonly #files: DurableFiles;
  readonly #mutex = new Mutex();
  #publications = 0;
  #digest: string | undefined;
  /** The previous folder stays for readers that are still using it. */
  #before: string | undefined;
  #current: string | undefined;
  #cancel: CancelTimer | undefined;
  #isClosed = false;
  #listener: { close(): Promise<void> } | undefined;

  private constructor(deps: Deps, temporary: { readonly path: string; remove(): Promise<void> }) {
    this.#deps = deps;
    this.#temporary = temporary;
    this.#files = new DurableFiles(nodeFileSystem, deps.clock);
    this.changes = new Emitter((error) => deps.log.error({ error }, 'a listener to published files failed'));
  }

  /** Resolves when the current publication is in the folder. Throws `data_unreadable`. */
  static async open(deps: Deps): Promise<PublishedFolder> {
    const folder = new PublishedFolder(deps, await createTemporaryFolder());
    try {
      await folder.#mutex.run(() => folder.#copy());
      const refresh = (): void => void folder.refresh();
      folder.#listener = await deps.database.listen({ [channel]: refresh }, refresh);
    } catch (error) {
      await folder.close();
      throw error;
    }
    folder.#lookAgain();
    return folder;
  }

  /** Folder of the newest publication; empty before the first. For WorkflowFiles. */
  readonly folders = (): readonly string[] => (this.#current === undefined ? [] : [this.#current]);

  /** Copies a newer publication, if there is one. Never rejects. */
  async refresh(): Promise<void> {
    try {
      if (await this.#mutex.run(() => this.#copy())) this.changes.emit();
    } catch (error) {
      this.#deps.log.warn({ error }, 'published files could not be read from the database');
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel?.();
    await this.#listener?.close();
    await this.#mutex.settled();
    await this.#temporary.remove();
  }

  #lookAgain(): void {
    if (this.#isClosed) return;
    this.#cancel = this.#deps.clock.setTimer(
      lookEveryMs,
      () => void this.refresh().then(() => this.#lookAgain()),
    );
  }

  /** True if there was a newer publication. */
  async #copy(): Promise<boolean> {
    if (this.#isClosed) return false;
    const { database } = this.#deps;
    const [now] = await database.query<{ md5: string }>(digestQuery);
    if (now === undefined || now.md5 === this.#digest) return false;
    // One statement, so that the digest belongs to the files.
    const rows = await database.query<{ path: string | null; bytes: Uint8Array; md5: string }>(
      `select published.md5, path, bytes from (${digestQuery}) as published left join rowbench.published_files on true`,
    );
    const target = join(this.#temporary.path, String((this.#publications += 1)));
    try {
      await this.#files.makeFolder(target);
      for (const { path, bytes } of rows) if (path !== null) await this.#write(target, { path, bytes });
    } catch (error) {
      await nodeFileSystem.remove(target);
      throw error;
    }
    if (this.#before !== undefined) await nodeFileSystem.remove(this.#before);
    this.#before = this.#current;
    this.#current = target;
    this.#digest = rows[0]?.md5;
    return true;
  }

  /** A path in the database never leads out of the folder. */
  async #write(folder: string, { path, bytes }: PublishedFile): Promise<void> {
    const names = path.split('/');
    if (!names.every(isPortableName))
      throw dataUnreadable(`a published file has the name ${JSON.stringify(path)}`);
    const target = join(folder, ...names);
    await this.#files.makeFolder(dirname(target));
    await this.#files.create(target, bytes);
  }
}
