// Claims of shared calls by attempts at segments, in the database of a team: one attempt makes a call, and one that is over
// loses it.
import { describe, expect, it, onTestFinished } from 'vitest';
import { Emitter } from '../../../src-main/base/emitter.ts';
import { silentLog } from '../../../src-main/base/log.ts';
import { systemClock } from '../../../src-main/base/system-clock.ts';
import type { SharedClaim } from '../../../src-main/executor/ports.ts';
import { SegmentAnswers } from '../../../src-main/team/segments/segment-answers.ts';
import { SegmentQueue, type SegmentAttempt } from '../../../src-main/team/segments/segment-queue.ts';
import { openPglite } from '../../builders/pglite-sql.ts';
import { whyNoPostgres } from '../../builders/postgres-server.ts';
import { createTestDatabase, openPool } from '../../builders/team-database.ts';

const openPostgres = async () => openPool((await createTestDatabase()).url);
const key = 'run/share/0';
const textOf = (claim: SharedClaim): string | undefined =>
  claim.kind === 'answered' ? `${claim.version} ${Buffer.from(claim.bytes).toString()}` : undefined;

/** PostgreSQL if there is a server, else PGlite. */
async function openSegments(count: number) {
  const backend = whyNoPostgres === undefined ? 'postgres' : 'pglite';
  const database = await (backend === 'postgres' ? openPostgres() : openPglite());
  await database.run('delete from rowbench_queue.job_common; delete from rowbench.shared_answers');
  const queue = await SegmentQueue.open(database, { log: silentLog, backend });
  onTestFinished(async () => {
    await queue.close();
    await database.close();
  });
  const segments = Array.from({ length: count }, (_, nth) => ({ owner: 7, firstRow: nth + 1 }));
  await database.transaction((sql) => queue.insert(segments, sql));
  const open = async (maxAnswers?: number) => {
    const attempt = await queue.fetch();
    if (attempt === undefined) throw new Error('there is no job');
    return answersOf(attempt, maxAnswers);
  };
  const answersOf = (attempt: SegmentAttempt, maxAnswers = 100) => {
    // Without notices: a change is found by looking.
    const answered = new Emitter<string>(() => undefined);
    const answers = new SegmentAnswers({
      database,
      queue,
      attempt,
      answered,
      clock: systemClock,
      log: silentLog,
      maxAnswers,
    });
    const claim = (refused?: number, signal = new AbortController().signal) =>
      answers.claim(key, { refused, signal });
    return {
      attempt,
      answers,
      answered,
      claim,
      keep: (version: number, text: string) => answers.keep(key, { version, bytes: Buffer.from(text) }),
      release: (version: number) => answers.release(key, version),
    };
  };
  /** Lets the lease of an attempt end. */
  const expire = async ({ id }: SegmentAttempt): Promise<void> => {
    await database.query(
      `update rowbench_queue.job_common set heartbeat_on = now() - interval '1 minute' where id = $1`,
      [id],
    );
  };
  return { database, open, expire };
}

describe('shared calls', () => {
  const test = (title: string, act: () => Promise<void>): void => it(title, act, 60_000);

  test('are made by the first attempt, and others wait for its answer', async () => {
    const { open } = await openSegments(2);
    const [one, other] = [await open(), await open()];
    expect(await one.claim()).toEqual({ kind: 'claimed', version: 1 });
    const waiting = other.claim();
    expect(await one.keep(1, 'a')).toBe(true);
    expect(textOf(await waiting)).toBe('1 a');
    expect(textOf(await one.claim())).toBe('1 a');
  });

  test('are made by the next attempt after a failure', async () => {
    const { open, database } = await openSegments(2);
    const [one, other] = [await open(), await open()];
    await one.claim();
    const waiting = other.claim();
    await one.release(1);
    other.answered.emit(key);
    expect(await waiting).toEqual({ kind: 'claimed', version: 1 });
    await other.release(1);
    expect(await database.query('select 1 from rowbench.shared_answers')).toEqual([]);
  });

  test('are taken from an attempt that is over, whose answer is refused', async () => {
    const { open, expire } = await openSegments(2);
    const [one, other] = [await open(), await open()];
    await one.claim();
    const waiting = other.claim();
    await expire(one.attempt);
    expect(await waiting).toEqual({ kind: 'claimed', version: 2 });
    expect(await one.keep(1, 'late')).toBe(false);
    await one.release(1);
    expect(await other.keep(2, 'b')).toBe(true);
    expect(textOf(await one.claim())).toBe('2 b');
  });

  test('whose answer two attempts refuse are made once more', async () => {
    const { open } = await openSegments(2);
    const [one, other] = [await open(), await open()];
    await one.claim();
    await one.keep(1, 'bad');
    expect(await one.claim(1)).toEqual({ kind: 'claimed', version: 2 });
    const waiting = other.claim(1);
    await one.keep(2, 'good');
    expect(textOf(await waiting)).toBe('2 good');
  });

  test('that were claimed by this attempt before are claimed anew', async () => {
    const { open } = await openSegments(1);
    const one = await open();
    await one.claim();
    expect(await one.claim()).toEqual({ kind: 'claimed', version: 2 });
    await one.release(1);
    expect(await one.keep(2, 'a')).toBe(true);
  });

  test('beyond the maximum are refused, those before it are not', async () => {
    const { open } = await openSegments(2);
    const [one, other] = [await open(1), await open(1)];
    await one.claim();
    await one.keep(1, 'a');
    const signal = new AbortController().signal;
    for (const { answers } of [one, other])
      expect(await answers.claim('run/share/1', { refused: undefined, signal })).toEqual({
        kind: 'full',
        maxAnswers: 1,
      });
    expect(textOf(await other.claim())).toBe('1 a');
  });

  test('whose answer is damaged or whose wait is ended reject', async () => {
    const { open, database } = await openSegments(2);
    const [one, other] = [await open(), await open()];
    await one.claim();
    const aborter = new AbortController();
    const waiting = other.claim(undefined, aborter.signal);
    aborter.abort(new Error('paused'));
    await expect(waiting).rejects.toThrow('paused');
    await one.keep(1, 'right');
    await database.query(`update rowbench.shared_answers set answer = 'wrong'`);
    await expect(other.claim()).rejects.toMatchObject({ code: 'data_unreadable' });
  });
});
