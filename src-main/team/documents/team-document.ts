// A small document of a team, which all its servers read and write. Who calls: open-team-documents.ts.
// INVARIANT: `value` was committed, and never goes back to an older one.
import type { z } from 'zod';
import { wording } from '../../domain/nodes/wording.ts';
import { dataUnreadable } from '../../domain/store-errors.ts';
import { Emitter } from '../../base/emitter.ts';
import type { Log } from '../../base/log.ts';
import { Mutex } from '../../base/mutex.ts';
import type { Document } from '../../services/ports.ts';
import type { DocumentDefinition } from '../../storage/documents/document-definitions.ts';
import type { Sql, TeamSql } from '../sql.ts';
import { isConnectionLost, outcomeUnknown, storeErrorOf } from '../team-errors.ts';

/** Tables of documents; see schema.ts for who may read which. */
export type DocumentTable = 'documents' | 'private_documents' | 'secrets';

/** Channel on which a server says that it has changed a document. */
export const documentsChannel = 'rowbench_documents';

type TeamDocumentOptions<T extends object> = {
  readonly database: TeamSql;
  readonly table: DocumentTable;
  readonly definition: DocumentDefinition<T>;
  /** True for a worker, which reads only. */
  readonly isReadOnly: boolean;
  /** Called in the transaction that changes the document. */
  readonly onUpdate?: ((sql: Sql, value: T) => Promise<void>) | undefined;
  readonly log: Log;
};

/** `value` is absent where the caller has that version. */
type Row = { readonly version: number; readonly value: string | null };

export class TeamDocument<T extends object> implements Document<T> {
  readonly name: string;
  /** Emits the value when another server has changed the document. */
  readonly changes: Emitter<T>;
  readonly #database: TeamSql;
  readonly #table: string;
  readonly #schema: z.ZodType<T>;
  readonly #onUpdate: (sql: Sql, value: T) => Promise<void>;
  readonly #mutex = new Mutex();
  #value: T;
  /** Version of the stored value; 0 if none is stored. */
  #version = 0;
  #look: Promise<void> | undefined;
  /** The look after `#look`, for callers that asked while that one was under way. */
  #nextLook: Promise<void> | undefined;

  private constructor({ database, table, definition, onUpdate, log }: TeamDocumentOptions<T>) {
    this.#database = database;
    this.#onUpdate = onUpdate ?? (async () => {});
    this.#table = `rowbench.${table}`;
    this.name = definition.name;
    this.#schema = definition.schema;
    this.#value = definition.initial();
    this.changes = new Emitter((error) => log.error({ error }, 'a listener to a document failed'));
  }

  /** Reads the document, and stores its initial value if it was never written. Throws `data_unreadable`. */
  static async open<T extends object>(options: TeamDocumentOptions<T>): Promise<TeamDocument<T>> {
    const document = new TeamDocument(options);
    if (!options.isReadOnly) await document.#insertInitial();
    await document.latest();
    return document;
  }

  get value(): T {
    return this.#value;
  }

  /** The value at this moment. Throws `out_of_resources` while the database does not answer. Calls that come while the database is asked share the next question. */
  async latest(): Promise<T> {
    if (this.#look !== undefined) await (this.#nextLook ??= this.#look.then(this.#follow, this.#follow));
    else {
      this.#look = this.#read().finally(() => (this.#look = undefined));
      await this.#look;
    }
    return this.#value;
  }

  /** Changes the value in one transaction. No other server can change the value that `change` gets. */
  update(change: (current: T) => T): Promise<T> {
    return this.#mutex.run(async () => {
      let hasBegun = false;
      try {
        const stored = await this.#database.transaction((sql) => {
          hasBegun = true;
          return this.#change(sql, change);
        });
        this.#accept(stored.version, stored.value);
        return stored.value;
      } catch (error) {
        throw hasBegun && isConnectionLost(error) ? outcomeUnknown(this.name, error) : storeErrorOf(error);
      }
    });
  }

  readonly #follow = async (): Promise<void> => {
    this.#nextLook = undefined;
    await this.latest();
  };

  async #change(sql: Sql, change: (current: T) => T): Promise<{ version: number; value: T }> {
    const [row] = await sql.query<Row>(
      `select version, value from ${this.#table} where name = $1 for update`,
      [this.name],
    );
    if (typeof row?.value !== 'string') throw dataUnreadable(`${this.name}: the database no longer has it`);
    const current = row.version === this.#version ? this.#value : this.#parse(row.value);
    const next = change(current);
    if (next === current) return { version: row.version, value: current };
    const version = row.version + 1;
    await sql.query(`update ${this.#table} set version = $2, value = $3 where name = $1`, [
      this.name,
      version,
      JSON.stringify(this.#schema.parse(next)),
    ]);
    await this.#onUpdate(sql, next);
    await sql.query('select pg_notify($1, $2)', [documentsChannel, this.name]);
    return { version, value: next };
  }

  async #insertInitial(): Promise<void> {
    await this.#database.query(
      `insert into ${this.#table} (name, version, value) values ($1, 1, $2) on conflict do nothing`,
      [this.name, JSON.stringify(this.#value)],
    );
  }

  async #read(): Promise<void> {
    const statement = `select version, case when version > $2 then value end as value from ${this.#table} where name = $1`;
    const [row] = await this.#database
      .query<Row>(statement, [this.name, this.#version])
      .catch((error: unknown) => {
        throw storeErrorOf(error);
      });
    if (typeof row?.value !== 'string' || row.version <= this.#version) return;
    this.#accept(row.version, this.#parse(row.value));
    this.changes.emit(this.#value);
  }

  /** Takes over an answer unless it is older than the value: answers may arrive out of order. */
  #accept(version: number, value: T): void {
    if (version <= this.#version) return;
    this.#version = version;
    this.#value = value;
  }

  #parse(text: string): T {
    const parsed = this.#schema.safeParse(JSON.parse(text), { error: wording });
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    throw dataUnreadable(`${this.name}: ${issue?.path.join('.')}: ${issue?.message}`, parsed.error);
  }
}
