// A bare `SKIP LOCKED` queue over the tables of a team: two workers of two seats, whose function is that of the text
// workload. No lease, no takeover, no state of rows.
// Usage: node skip-locked-peer.mjs DATABASE_URL ROWS_FILE; for each line on its input it runs all rows and prints ms.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { text } from './transforms.mjs';

const [connectionString, file, role] = process.argv.slice(2);
const batchRows = 1000;
const open = async () => {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return client;
};

if (role === 'worker') await work();
else await serve();

async function serve() {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  const batches = [];
  for (let at = 0; at < lines.length; at += batchRows)
    batches.push(Buffer.from(`${lines.slice(at, at + batchRows).join('\n')}\n`));
  const client = await open();
  const workers = [1, 2].map(() => fork(import.meta.filename, [connectionString, file, 'worker']));
  await Promise.all(workers.map((worker) => once(worker, 'message')));
  console.log('ready');
  let owner = 0;
  for await (const _line of createInterface(process.stdin)) {
    owner += 1;
    const began = performance.now();
    await insertRun(client, owner, batches);
    const ended = Promise.race(workers.map((worker) => once(worker, 'message')));
    for (const worker of workers) worker.send(owner);
    await ended;
    const ms = performance.now() - began;
    await check(client, owner, lines);
    console.log(ms);
  }
  process.exit();
}

async function insertRun(client, owner, batches) {
  await client.query('set synchronous_commit = off');
  for (const [index, bytes] of batches.entries())
    await client.query(
      `insert into rowbench.row_batches (owner, first_row, rows, lines, lines_crc, numbers_crc, reused_crc)
       values ($1, $2, $3, $4, 0, 0, 0)`,
      [owner, index * batchRows + 1, batchRows, bytes],
    );
  await client.query('set synchronous_commit = on');
  await client.query('begin');
  await client.query(
    `insert into rowbench.runs (owner, run_id, workflow_id, status, accepted_at, bytes, record, segments_left,
       queued_segments) values ($1, $2, 'text', 'running', '', 0, '{}', $3, 1000)`,
    [owner, `bare-${owner}`, batches.length],
  );
  await client.query(
    `insert into rowbench.segments (owner, first_row, rows, state)
     select owner, first_row, rows, 'queued' from rowbench.row_batches where owner = $1`,
    [owner],
  );
  await client.query('commit');
}

async function check(client, owner, lines) {
  const { rows } = await client.query(
    'select outputs from rowbench.output_batches where owner = $1 order by first_row',
    [owner],
  );
  const expected = lines.map((line) => JSON.stringify(text(JSON.parse(line)))).join('\n');
  if (`${expected}\n` !== rows.map(({ outputs }) => outputs.toString()).join(''))
    throw new Error('rows are lost or doubled');
}

async function work() {
  const clients = await Promise.all([open(), open()]);
  process.on('disconnect', () => process.exit());
  process.on('message', (owner) => clients.forEach((client) => runSegments(client, owner)));
  process.send('ready');
}

async function runSegments(client, owner) {
  for (;;) {
    await client.query('begin');
    const { rows: found } = await client.query(
      `select first_row, rows, lines from rowbench.segments join rowbench.row_batches using (owner, first_row, rows)
       where owner = $1 and state = 'queued' order by first_row limit 1 for update of segments skip locked`,
      [owner],
    );
    const left = found.length === 0 ? await rest(client, owner) : await runSegment(client, owner, found[0]);
    await client.query('commit');
    if (left === 0) {
      if (found.length > 0) process.send('ended');
      return;
    }
    if (found.length === 0) await setTimeout(1);
  }
}

async function rest(client, owner) {
  const { rows } = await client.query('select segments_left from rowbench.runs where owner = $1', [owner]);
  return rows[0].segments_left;
}

async function runSegment(client, owner, { first_row: firstRow, rows: count, lines }) {
  let outputs = '';
  for (const line of lines.toString().split('\n'))
    if (line !== '') outputs += `${JSON.stringify(text(JSON.parse(line)))}\n`;
  await client.query(
    `insert into rowbench.output_batches (owner, first_row, rows, rows_failed, outputs, outputs_crc, states, states_crc,
       trace_crc) values ($1, $2, $3, 0, $4, 0, '', 0, 0)`,
    [owner, firstRow, count, Buffer.from(outputs)],
  );
  await client.query(
    `update rowbench.segments set state = 'done', rows_done = rows where owner = $1 and first_row = $2`,
    [owner, firstRow],
  );
  const { rows } = await client.query(
    `update rowbench.runs set segments_left = segments_left - 1,
       status = case when segments_left = 1 then 'completed' else status end
     where owner = $1 returning segments_left`,
    [owner],
  );
  return rows[0].segments_left;
}
