import type { Database } from './open-database.ts';

type Value = string | number | Uint8Array | null;
type Statement = ReturnType<Database['prepare']>;
type Row = Readonly<Record<string, Value>>;

/**
 * Runs SQL and keeps each text compiled. A statement that has failed is compiled anew: SQLite reports its error once more
 * when it is used again, whatever it is used for.
 */
export class Statements {
  readonly #database: Database;
  readonly #compiled = new Map<string, Statement>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns the number of changed rows. */
  run(sql: string, ...values: readonly Value[]): number {
    return this.#execute(sql, (statement) => Number(statement.run(...values).changes));
  }

  /** The first row; undefined if there is none. The caller states its columns. */
  get<Found extends Row>(sql: string, ...values: readonly Value[]): Found | undefined {
    return this.#execute(sql, (statement) => statement.get(...values) as Found | undefined);
  }

  /** All rows; the caller states their columns. */
  all<Found extends Row>(sql: string, ...values: readonly Value[]): readonly Found[] {
    return this.#execute(sql, (statement) => statement.all(...values) as Found[]);
  }

  /** One row after the other. */
  *iterate<Found extends Row>(sql: string, ...values: readonly Value[]): Iterable<Found> {
    try {
      yield* this.#prepare(sql).iterate(...values) as Iterable<Found>;
    } catch (error) {
      this.#compiled.delete(sql);
      throw error;
    }
  }

  #execute<Result>(sql: string, action: (statement: Statement) => Result): Result {
    try {
      return action(this.#prepare(sql));
    } catch (error) {
      this.#compiled.delete(sql);
      throw error;
    }
  }

  #prepare(sql: string): Statement {
    const known = this.#compiled.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(sql);
    this.#compiled.set(sql, statement);
    return statement;
  }
}
