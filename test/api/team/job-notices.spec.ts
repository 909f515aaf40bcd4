// Workers whose clock stands still: an idle slot asks for a job only after a notice, or when the test moves the clock.
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openTeamBackend } from '../../../src-main/app/team/open-team-backend.ts';
import type { Clock } from '../../../src-main/base/clock.ts';
import { systemClock } from '../../../src-main/base/system-clock.ts';
import { readScenario } from '../../../src-main/domain/scenarios/parse-scenario.ts';
import { FakeClock } from '../../builders/fake-clock.ts';
import { openTestServices } from '../../builders/open-test-services.ts';
import { whyNoPostgres } from '../../builders/postgres-server.ts';
import { createTestDatabase, openPool } from '../../builders/team-database.ts';
import { startTeamWorker } from '../../builders/team-processes.ts';

const waiting = `rowbench: 1
id: waiting
concurrency: 2
nodes:
  - { id: input, type: input }
  - { id: wait, type: delay, for: 1h }
  - { id: result, type: output, after: [wait], fields: { n: "=row.n" } }
`;

/** A part of the statement with which pg-boss takes a job. */
const takesJob = 'FOR UPDATE OF j SKIP LOCKED';

/** The database behind a relay that holds back the answers of an empty queue. */
async function relayTo(url: string) {
  const sockets = new Set<Socket>();
  const delayed = new Map<Socket, Buffer[]>();
  let isHolding = true;
  let notices = 0;
  let questions = 0;
  let answered = 0;
  const asking = new Set<Socket>();
  const relay = createServer((client) => {
    const database = connect(Number(new URL(url).port), '127.0.0.1');
    const end = (): void => [client, database].forEach((socket) => socket.destroy());
    for (const socket of [client, database]) sockets.add(socket.on('error', end).on('close', end));
    client.on('data', (statement) => {
      if (!statement.includes(takesJob)) return;
      questions += 1;
      asking.add(client);
    });
    client.pipe(database);
    database.on('data', (answer) => {
      if (answer.includes('rowbench_jobs\0')) notices += 1;
      if (isHolding && answer.includes('UPDATE 0\0')) delayed.set(client, delayed.get(client) ?? []);
      const answers = delayed.get(client);
      if (answers === undefined) client.write(answer);
      else answers.push(answer);
      if (answer.includes('COMMIT\0') && asking.delete(client)) answered += 1;
    });
  }).listen(0, '127.0.0.1');
  await once(relay, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    relay.close();
  });
  const release = (): void => {
    isHolding = false;
    for (const [client, answers] of delayed) client.write(Buffer.concat(answers));
    delayed.clear();
  };
  const { port } = relay.address() as AddressInfo;
  return {
    url: Object.assign(new URL(url), { port }).href,
    delayed: () => delayed.size,
    notices: () => notices,
    /** How often a slot has asked for a job. */
    questions: () => questions,
    /** How many of these have got their answer. */
    answered: () => answered,
    release,
  };
}

async function openTeam() {
  const { url } = await createTestDatabase();
  const pool = openPool(url, 1);
  onTestFinished(() => pool.close());
  const open = (name: string, slots: number, clock: Clock = systemClock, databaseUrl = url) =>
    openTestServices(
      { waiting },
      {
        openBackend: openTeamBackend({ environment: { ROWBENCH_DATABASE_URL: databaseUrl }, name, slots }),
        clock,
      },
    );
  const workersOf = async (runId: string): Promise<readonly string[]> => {
    const found = await pool.query<{ worker: string }>(
      `select worker from rowbench.segments join rowbench.runs using (owner)
       where run_id = $1 and state = 'running' order by first_row`,
      [runId],
    );
    return found.map(({ worker }) => worker);
  };
  const dueJobs = async (): Promise<number> => {
    const [found] = await pool.query<{ jobs: number }>(
      `select count(*) as jobs from rowbench_queue.job where state < 'active' and start_after <= now()`,
    );
    return found?.jobs ?? 0;
  };
  const makeJobsDue = async (): Promise<void> => {
    await pool.query(`update rowbench_queue.job set start_after = now() where state < 'active'`, []);
  };
  return { url, open, workersOf, dueJobs, makeJobsDue };
}

describe.skipIf(whyNoPostgres !== undefined)('an idle slot', () => {
  it('takes a segment that a stopped worker has given back at once', async () => {
    const { url, open, workersOf } = await openTeam();
    const server = await open('server', 0);
    const worker = await startTeamWorker(url, { name: 'stopped' });
    onTestFinished(() => worker.kill());
    const { runId } = await server.start('waiting', [{ n: 1 }]);
    await expect.poll(() => workersOf(runId)).toEqual(['stopped']);
    await open('idle', 1, new FakeClock(Date.now()));
    await worker.stop();
    await expect.poll(() => workersOf(runId)).toEqual(['idle']);
  });

  it('asks again if a segment was added while the queue answered that there is none', async () => {
    const { url, open, workersOf } = await openTeam();
    const server = await open('server', 0);
    const relay = await relayTo(url);
    await open('idle', 1, new FakeClock(Date.now()), relay.url);
    await expect.poll(relay.delayed).toBeGreaterThan(0);
    const { runId } = await server.start('waiting', [{ n: 1 }]);
    await expect.poll(relay.notices).toBe(1);
    relay.release();
    await expect.poll(() => workersOf(runId)).toEqual(['idle']);
  });

  it('takes segments of a new run at once, as many slots as there are segments', async () => {
    const { open, workersOf } = await openTeam();
    const server = await open('server', 0);
    await open('idle', 3, new FakeClock(Date.now()));
    const rows = Array.from({ length: 3000 }, (_, n) => ({ n }));
    const { runId } = await server.start('waiting', rows);
    await expect.poll(() => workersOf(runId)).toEqual(['idle', 'idle', 'idle']);
  });

  it('asks once a second for all idle ones, which ask when it gets a segment that had to wait', async () => {
    const { url, open, workersOf, dueJobs, makeJobsDue } = await openTeam();
    const server = await open('server', 0);
    const relay = await relayTo(url);
    relay.release();
    const clock = new FakeClock(Date.now());
    await open('idle', 3, clock, relay.url);
    /** The slots are idle again: their answers came before that of this question, which this process asked later. */
    const untilIdle = async (questions: number): Promise<void> => {
      await expect.poll(relay.answered).toBe(questions);
      await dueJobs();
    };
    // Each slot, and one again, since notices may have come before it listened.
    await untilIdle(4);
    const rows = Array.from({ length: 3000 }, (_, n) => ({ n }));
    const { runId } = await server.start('waiting', rows, { scenario: readScenario('queued-for=1h') });
    await untilIdle(7);
    clock.advance(1000);
    await untilIdle(8);
    await makeJobsDue();
    expect([await dueJobs(), relay.questions(), await workersOf(runId)]).toEqual([3, 8, []]);
    clock.advance(1000);
    await expect.poll(() => workersOf(runId)).toEqual(['idle', 'idle', 'idle']);
    expect(relay.questions()).toBe(11);
  });
});
