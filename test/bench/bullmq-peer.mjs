// BullMQ beside Rowbench: jobs of some rows for two workers of two seats, whose function is that of the text workload.
// Usage: node bullmq-peer.mjs MODULES REDIS_PORT ROWS_FILE ROWS_PER_JOB
// Each line on its input is a number: it runs so many rows, from the first on, and prints ms.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { text } from './transforms.mjs';

const [modules, port, file, rowsPerJob, role] = process.argv.slice(2);
const { Queue, Worker } = createRequire(join(modules, 'package.json'))('bullmq');
const connection = { host: '127.0.0.1', port: Number(port) };
const batchRows = Number(rowsPerJob);

if (role === 'worker') {
  const worker = new Worker('rows', async ({ data }) => data.map(text), { connection, concurrency: 2 });
  process.on('disconnect', () => process.exit());
  await worker.waitUntilReady();
  process.send('ready');
} else await serve();

async function serve() {
  const rows = readFileSync(file, 'utf8').split('\n').filter(Boolean).map(JSON.parse);
  const queue = new Queue('rows', { connection });
  for (let count = 0; count < 2; count += 1)
    await once(fork(import.meta.filename, [modules, port, file, rowsPerJob, 'worker']), 'message');
  console.log('ready');
  for await (const line of createInterface(process.stdin))
    console.log(await runAll(queue, rows.slice(0, Number(line))));
  process.exit();
}

async function runAll(queue, rows) {
  await queue.clean(0, 0, 'completed');
  const jobs = [];
  const began = performance.now();
  for (let at = 0; at < rows.length; at += batchRows)
    jobs.push({ name: String(at), data: rows.slice(at, at + batchRows) });
  // All at once would be one command of 460 MB for 1,000,000 rows.
  for (let at = 0; at < jobs.length; at += 100) await queue.addBulk(jobs.slice(at, at + 100));
  while ((await queue.getCompletedCount()) < jobs.length) await setTimeout(2);
  const ms = performance.now() - began;
  const completed = await queue.getCompleted(0, -1);
  const outputs = completed
    .sort((one, other) => Number(one.name) - Number(other.name))
    .flatMap(({ returnvalue }) => returnvalue);
  if (JSON.stringify(outputs) !== JSON.stringify(rows.map(text))) throw new Error('rows are lost or doubled');
  return ms;
}
