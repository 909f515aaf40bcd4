// The floor server with Rowbench's promise to a small run, and nothing else of it: one file with checksums that appears by one
// rename, results that are durable with the record of the end, three waits for the disk, and another process that
// runs the rows. No keys, no sandbox, no limits, no recovery.
// Usage: node promise-server.mjs FOLDER; prints its port.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, fdatasync, fsync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import { serveRuns } from './serve-runs.mjs';

const [folder] = process.argv.slice(2);
const kept = join(folder, 'runs');
mkdirSync(kept, { recursive: true });
const runs = new Map();
const sync = promisify(fsync);
const dataSync = promisify(fdatasync);

const worker = spawn(process.execPath, [join(import.meta.dirname, 'row-process.mjs')], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
/** In the order in which rows were given out. */
const asked = [];
createInterface({ input: worker.stdout }).on('line', (line) => asked.shift()(JSON.parse(line)));
process.once('SIGTERM', () => {
  worker.kill();
  process.exit();
});

function runRows(rows) {
  return new Promise((resolve) => {
    asked.push(resolve);
    worker.stdin.write(`${JSON.stringify(rows)}\n`);
  });
}

async function syncKept() {
  const number = openSync(kept, 'r');
  await sync(number);
  closeSync(number);
}

let syncing = Promise.resolve();
let next;
/** Whoever asks while a sync is under way shares the one after it. */
function keptSynced() {
  next ??= syncing.then(() => {
    next = undefined;
    syncing = syncKept();
    return syncing;
  });
  return next;
}

const withCrc = (text) => `${text}\n${crc32(text)}\n`;

async function accept(id, rows) {
  const arriving = join(kept, `${id}.tmp`);
  const content = [JSON.stringify({ id, status: 'queued' }), ...rows.map((row) => JSON.stringify(row))];
  const text = withCrc(content.join('\n'));
  const file = openSync(arriving, 'w');
  writeSync(file, text);
  await sync(file);
  closeSync(file);
  renameSync(arriving, join(kept, id));
  await keptSynced();
  return Buffer.byteLength(text);
}

/** Results of all kinds and the record of the end, behind what is there. */
async function end(id, outputs, at) {
  const lines = outputs.map((output) => JSON.stringify(output)).join('\n');
  const index = `${outputs.length} ${lines.length} ${crc32(lines)}`;
  const results = [index, lines, 's'.repeat(8 * outputs.length), '{}', '{}'].join('\n');
  const file = openSync(join(kept, id), 'r+');
  writeSync(file, withCrc(results) + withCrc(JSON.stringify({ id, status: 'completed' })), at);
  await dataSync(file);
  closeSync(file);
}

async function work(id, rows, at) {
  const run = runs.get(id);
  run.status = 'running';
  const outputs = await runRows(rows);
  await end(id, outputs, at);
  run.outputs = outputs;
  run.status = 'completed';
}

serveRuns(runs, async (rows) => {
  const id = randomUUID();
  runs.set(id, { status: 'queued' });
  const at = await accept(id, rows);
  void work(id, rows, at);
  return id;
});
