// Connections to the PostgreSQL database of a team. Who calls: open-database.ts.
import { Pool, types, type PoolClient, type QueryConfig } from 'pg';
import { invariant } from '../base/invariant.ts';
import type { Log } from '../base/log.ts';
import type { NoticeListeners, TeamSql, Transaction } from './sql.ts';

export type PoolOptions = {
  /** postgres://user@host/database; its password may be in PGPASSWORD or a password file. */
  readonly url: string;
  /** Name in `pg_stat_activity`. */
  readonly name: string;
  readonly maxConnections: number;
  /** Time after which a connection is replaced, in s; default 300. */
  readonly maxLifetimeSeconds?: number;
  readonly log: Log;
};

/** Time that a connection may take to open, in ms. */
const connectTimeoutMs = 5_000;
/**
 * Maximum idle time of a transaction, in ms: a machine that stops in the middle of one keeps its run locked, and other
 * machines wait for it. Shorter than the lease of a segment.
 */
const idleTransactionMs = 8_000;
/** Pause before the listening connection is opened again, in ms. */
const reconnectMs = 500;
/** PostgreSQL's type number of `bigint`; our values stay below 2^53. */
const bigintType = 20;
/**
 * Time after which a connection is replaced, in s. Its plans go with it: a plan that was made while a table was almost
 * empty reads all of the table when it has grown.
 */
const usualLifetimeSeconds = 5 * 60;
/** Maximum statements that each connection keeps prepared, so that composed texts do not fill the database's memory. */
const maxPrepared = 200;

const noticeStatement =
  'select pg_notify(channel, payload) from unnest($1::text[], $2::text[]) as notice (channel, payload)';

const parsers = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === bigintType ? Number : (types.getTypeParser(oid, format) as (value: string) => unknown),
};

export class TeamPool implements TeamSql {
  readonly #pool: Pool;
  readonly #log: Log;
  readonly #listeners = new Set<{ close(): Promise<void> }>();
  readonly #statements = new Statements();

  constructor({ url, name, maxConnections, maxLifetimeSeconds = usualLifetimeSeconds, log }: PoolOptions) {
    this.#log = log;
    this.#pool = new Pool({
      connectionString: url,
      application_name: name,
      max: maxConnections,
      maxLifetimeSeconds,
      connectionTimeoutMillis: connectTimeoutMs,
      keepAlive: true,
      pipeline: true,
      idle_in_transaction_session_timeout: idleTransactionMs,
      types: parsers,
    });
    // A connection that fails while it is idle is replaced.
    this.#pool.on('error', (error) => log.warn({ error }, 'a connection to the database was lost'));
    // One that fails in a transaction, between two queries, fails the next query. Without a listener it would end the process.
    this.#pool.on('connect', (client) => void client.on('error', () => undefined));
  }

  async query<Row extends object>(text: string, values?: readonly unknown[]): Promise<readonly Row[]> {
    return rowsOf<Row>(await this.#pool.query(this.#statements.configOf(text, values)));
  }

  async run(statements: string): Promise<void> {
    await this.#pool.query(statements);
  }

  async transaction<Result>(act: (sql: Transaction) => Promise<Result>): Promise<Result> {
    const client = await this.#pool.connect();
    const transaction = new OpenTransaction(client, this.#statements);
    let failure: Error | undefined;
    try {
      const result = await act(transaction);
      await transaction.commit();
      return result;
    } catch (error) {
      await transaction.rollBack().catch((lost: unknown) => {
        failure = lost instanceof Error ? lost : new Error(String(lost));
      });
      throw error;
    } finally {
      // A connection that cannot roll back is not used again.
      client.release(failure);
    }
  }

  async listen(listeners: NoticeListeners, onReconnect: () => void): Promise<{ close(): Promise<void> }> {
    let client: PoolClient | undefined;
    let timer: NodeJS.Timeout | undefined;
    let isClosed = false;
    const drop = (error?: Error): void => {
      client?.removeAllListeners('notification');
      client?.release(error ?? true);
      client = undefined;
    };
    const connect = async (): Promise<void> => {
      client = await this.#pool.connect();
      client.on('notification', ({ channel, payload = '' }) => listeners[channel]?.(payload));
      client.once('error', (error: Error) => {
        drop(error);
        retry();
      });
      for (const channel of Object.keys(listeners)) await client.query(`listen ${channel}`);
      onReconnect();
    };
    const retry = (): void => {
      if (isClosed) return;
      timer = setTimeout(() => {
        connect().catch((error: unknown) => {
          this.#log.warn({ error }, 'the database cannot be listened to');
          drop();
          retry();
        });
      }, reconnectMs);
    };
    await connect();
    const listener = {
      close: async (): Promise<void> => {
        isClosed = true;
        clearTimeout(timer);
        this.#listeners.delete(listener);
        if (client !== undefined) drop();
      },
    };
    this.#listeners.add(listener);
    return listener;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#listeners].map((listener) => listener.close()));
    await this.#pool.end();
  }
}

/** A transaction of a pipelined connection: `begin` goes out with its first statement, and its notices with `commit`. */
class OpenTransaction implements Transaction {
  readonly #client: PoolClient;
  readonly #statements: Statements;
  readonly #begun: Promise<unknown>;
  readonly #notices: { readonly channels: string[]; readonly payloads: string[] } = {
    channels: [],
    payloads: [],
  };
  #hasEnded = false;

  constructor(client: PoolClient, statements: Statements) {
    this.#client = client;
    this.#statements = statements;
    this.#begun = client.query('begin');
    this.#begun.catch(() => undefined);
  }

  async query<Row extends object>(text: string, values?: readonly unknown[]): Promise<readonly Row[]> {
    return rowsOf<Row>(await this.#send(text, values));
  }

  async run(statements: string): Promise<void> {
    await this.#send(statements);
  }

  notify(channel: string, payload: string): void {
    this.#notices.channels.push(channel);
    this.#notices.payloads.push(payload);
  }

  async commit(): Promise<void> {
    this.#hasEnded = true;
    const committed = this.#client.query('commit');
    const { channels, payloads } = this.#notices;
    if (channels.length > 0)
      // Notices only wake those who look by themselves from time to time.
      this.#client
        .query(this.#statements.configOf(noticeStatement, [channels, payloads]))
        .catch(() => undefined);
    await committed;
  }

  async rollBack(): Promise<void> {
    this.#hasEnded = true;
    await this.#client.query('rollback');
  }

  /** A statement that was not awaited may be sent after another one has failed the transaction: it must not run outside it. */
  async #send(text: string, values?: readonly unknown[]): Promise<unknown> {
    invariant(!this.#hasEnded, 'a statement belongs to a transaction that is open');
    const result = this.#client.query(this.#statements.configOf(text, values));
    await Promise.all([this.#begun, result]);
    return result;
  }
}

/**
 * Statements as `pg` takes them. Each connection prepares a statement with parameters once: to parse and plan it anew takes
 * PostgreSQL longer than to execute it. PostgreSQL plans it again after it has analysed its tables, and a new connection does.
 */
class Statements {
  /** By text. */
  readonly #names = new Map<string, string>();

  configOf(text: string, values: readonly unknown[] = []): QueryConfig {
    // Without parameters, it may be several statements, which cannot be prepared.
    if (values.length === 0) return { text };
    let name = this.#names.get(text);
    if (name === undefined && this.#names.size < maxPrepared) {
      name = `s${this.#names.size}`;
      this.#names.set(text, name);
    }
    return { text, values: [...values], ...(name === undefined ? {} : { name }) };
  }
}

/** The rows of a result; of several statements sent together, those of all. */
const rowsOf = <Row extends object>(result: unknown): readonly Row[] =>
  Array.isArray(result)
    ? result.flatMap((each: { rows?: Row[] }) => each.rows ?? [])
    : ((result as { rows?: Row[] }).rows ?? []);
