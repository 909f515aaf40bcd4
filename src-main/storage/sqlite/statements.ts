import type { Database } from './open-database.ts';

type Value = string | number | Uint8Array | null;
type Row = Readonly<Record<string, Value>>;

/** Runs SQL and keeps each text compiled. */
export class Statements {
  readonly #database: Database;
  readonly #compiled = new Map<string, ReturnType<Database['prepare']>>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns the number of changed rows. */
  run(sql: string, ...values: readonly Value[]): number {
    return Number(this.#prepare(sql).run(...values).changes);
  }

  /** The first row; undefined if there is none. The caller states its columns. */
  get<Found extends Row>(sql: string, ...values: readonly Value[]): Found | undefined {
    return this.#prepare(sql).get(...values) as Found | undefined;
  }

  /** All rows; the caller states their columns. */
  all<Found extends Row>(sql: string, ...values: readonly Value[]): readonly Found[] {
    return this.#prepare(sql).all(...values) as Found[];
  }

  /** One row after the other. */
  iterate<Found extends Row>(sql: string, ...values: readonly Value[]): Iterable<Found> {
    return this.#prepare(sql).iterate(...values);
  }

  #prepare(sql: string): ReturnType<Database['prepare']> {
    const known = this.#compiled.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(sql);
    this.#compiled.set(sql, statement);
    return statement;
  }
}
