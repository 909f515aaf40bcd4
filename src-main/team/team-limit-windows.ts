// Counts the calls to all servers of a team together, by the database's clock. Who calls: LimitService.
// INVARIANT: the minute that a call may be charged to is locked from before it is read until it is stored.
import type { Log } from '../base/log.ts';
import type { LimitName } from '../domain/limits/published-limits.ts';
import { minuteMs, SlidingMinute } from '../domain/limits/sliding-minute.ts';
import {
  subjectName,
  type CountedMinutes,
  type LimitSubject,
  type LimitWindows,
} from '../services/api/limit-windows.ts';
import type { Sql, TeamSql } from './sql.ts';
import { storeErrorOf } from './team-errors.ts';

type Act<Result> = (minutes: readonly SlidingMinute[], now: number) => Result;
type Row = { readonly now: number; readonly name: string | null; readonly times: readonly string[] | null };

const databaseMs = `floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now`;

export class TeamLimitWindows implements LimitWindows {
  readonly #database: TeamSql;
  readonly #log: Log;
  /** Time by the database's clock when this server last removed what has expired. */
  #sweptAt = 0;

  constructor({ database, log }: { readonly database: TeamSql; readonly log: Log }) {
    this.#database = database;
    this.#log = log;
  }

  async change<Result>(subjects: readonly LimitSubject[], act: Act<Result>): Promise<Result> {
    const names = subjects.map(subjectName);
    const [name = ''] = names;
    const { result, now } = await answerOf(
      this.#database.transaction(async (sql) => {
        await sql.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [name]);
        const { minutes, now } = await readMinutes(sql, names);
        const result = act(minutes, now);
        await store(sql, name, minutes[0]?.times ?? []);
        return { result, now };
      }),
    );
    this.#sweep(now);
    return result;
  }

  async read<Result>(subjects: readonly LimitSubject[], act: Act<Result>): Promise<Result> {
    const { minutes, now } = await answerOf(readMinutes(this.#database, subjects.map(subjectName)));
    return act(minutes, now);
  }

  async list(): Promise<CountedMinutes> {
    const rows = await answerOf(
      this.#database.query<Row>(
        `select ${databaseMs}, name, times from rowbench.limit_windows where expires_at > clock_timestamp()
         order by times[cardinality(times)] desc`,
      ),
    );
    const counted = rows.map(({ name, times }) => ({ ...subjectOf(name ?? ''), minute: minuteOf(times) }));
    return { now: rows[0]?.now ?? 0, counted };
  }

  /** Removes expired calls in the background; readers ignore them anyway. */
  #sweep(now: number): void {
    if (now - this.#sweptAt < minuteMs) return;
    this.#sweptAt = now;
    this.#database
      .query('delete from rowbench.limit_windows where expires_at <= clock_timestamp()')
      .catch((error: unknown) => this.#log.warn({ error }, 'expired limits could not be removed'));
  }
}

/** The answer of the database. Throws `out_of_resources` while it does not answer. */
const answerOf = <Answer>(answer: Promise<Answer>): Promise<Answer> =>
  answer.catch((error: unknown) => {
    throw storeErrorOf(error);
  });

/** The calls under those names, and the time. While the database's clock is behind an earlier call, that call's time is used. */
async function readMinutes(sql: Sql, names: readonly string[]) {
  const rows = await sql.query<Row>(
    `select ${databaseMs}, name, times from (select 1) as always left join rowbench.limit_windows on name = any($1)`,
    [names],
  );
  const minutes = names.map((name) => minuteOf(rows.find((row) => row.name === name)?.times ?? null));
  const last = minutes.map(({ times }) => times.at(-1) ?? 0);
  return { minutes, now: Math.max(rows[0]?.now ?? 0, ...last) };
}

async function store(sql: Sql, name: string, times: readonly number[]): Promise<void> {
  await sql.query(
    `insert into rowbench.limit_windows (name, times, expires_at) values ($1, $2, to_timestamp($3::float8 / 1000))
     on conflict (name) do update set times = excluded.times, expires_at = excluded.expires_at`,
    [name, times, (times.at(-1) ?? 0) + minuteMs],
  );
}

const minuteOf = (times: readonly string[] | null): SlidingMinute =>
  new SlidingMinute((times ?? []).map(Number));

function subjectOf(name: string): LimitSubject {
  const space = name.indexOf(' ');
  return { limit: name.slice(0, space) as LimitName, subjectId: name.slice(space + 1) };
}
