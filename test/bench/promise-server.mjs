// The floor server with Rowbench's promise to a run, and nothing else of it: a folder that appears by one rename, results
// of all kinds in one file with checksums, a record that is replaced durably when the run ends, and another process that
// runs the rows. No keys, no sandbox, no limits, no recovery.
// Usage: node promise-server.mjs FOLDER; prints its port.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { close, closeSync, fdatasync, fsync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import { serveRuns } from './serve-runs.mjs';

const [folder] = process.argv.slice(2);
const [incoming, kept] = ['incoming', 'runs'].map((name) => join(folder, name));
mkdirSync(incoming, { recursive: true });
mkdirSync(kept);
const runs = new Map();
const sync = promisify(fsync);
const dataSync = promisify(fdatasync);
const closeLater = promisify(close);

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

async function syncFolder(path) {
  const number = openSync(path, 'r');
  await sync(number);
  closeSync(number);
}

function put(path, content) {
  const number = openSync(path, 'w');
  writeSync(number, content);
  return number;
}

async function accept(id, rows) {
  const from = join(incoming, id);
  mkdirSync(from);
  const files = [
    put(join(from, 'rows.ndjson'), rows.map((row) => JSON.stringify(row)).join('\n')),
    put(join(from, 'run.json'), JSON.stringify({ id, status: 'queued' })),
  ];
  await Promise.all([...files.map((file) => sync(file)), syncFolder(from)]);
  files.forEach((file) => closeSync(file));
  renameSync(from, join(kept, id));
  await syncFolder(kept);
}

async function record(id, status) {
  const path = join(kept, id, 'run.json');
  const file = put(`${path}.tmp`, JSON.stringify({ id, status }, null, 2));
  await sync(file);
  closeSync(file);
  renameSync(path, `${path}.previous`);
  renameSync(`${path}.tmp`, path);
  await syncFolder(join(kept, id));
  runs.get(id).status = status;
}

async function commit(id, outputs) {
  const lines = outputs.map((output) => JSON.stringify(output)).join('\n');
  const parts = [
    `${outputs.length} ${lines.length} ${crc32(lines)}`,
    lines,
    's'.repeat(8 * outputs.length),
    '{}',
    '{}',
  ];
  const file = put(join(kept, id, 'results'), parts.join('\n'));
  await Promise.all([dataSync(file), syncFolder(join(kept, id))]);
  await closeLater(file);
}

async function work(id, rows) {
  runs.get(id).status = 'running';
  const outputs = await runRows(rows);
  await commit(id, outputs);
  runs.get(id).outputs = outputs;
  await record(id, 'completed');
}

serveRuns(runs, async (rows) => {
  const id = randomUUID();
  runs.set(id, { status: 'queued' });
  await accept(id, rows);
  void work(id, rows);
  return id;
});
