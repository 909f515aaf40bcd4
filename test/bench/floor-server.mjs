// The floor: about the smallest Koa server that keeps what it was given. Whole bodies in memory, the transform inlined,
// rows and outputs as files of JSON lines with an fsync each; no keys, no sandbox, no row state, no recovery.
// Usage: node floor-server.mjs FOLDER UPSTREAM; prints its port.
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { serveRuns } from './serve-runs.mjs';
import { code, text } from './transforms.mjs';

const [folder, upstream] = process.argv.slice(2);
const runs = new Map();
const atOnce = 256;

async function keep(path, lines) {
  const file = await open(path, 'w');
  await file.writeFile(lines);
  await file.datasync();
  await file.close();
}

async function callUpstream(row) {
  const answer = await fetch(`${upstream}${row.id}`);
  return { n: (await answer.json()).n };
}

async function eachUpstream(rows) {
  const outputs = [];
  let next = 0;
  const caller = async () => {
    for (let at = next++; at < rows.length; at = next++) outputs[at] = await callUpstream(rows[at]);
  };
  await Promise.all(Array.from({ length: atOnce }, caller));
  return outputs;
}

/** In parts, so that a status is answered meanwhile. */
async function eachHere(rows, transform) {
  const outputs = [];
  for (let at = 0; at < rows.length; at += 1000) {
    for (const row of rows.slice(at, at + 1000)) outputs.push(transform(row));
    await new Promise((resolve) => setImmediate(resolve));
  }
  return outputs;
}

const workloads = {
  text: (rows) => eachHere(rows, text),
  code: (rows) => eachHere(rows, code),
  upstream: eachUpstream,
};

async function work(id, { workload, rows }) {
  const run = runs.get(id);
  run.outputs = await workloads[workload](rows);
  await keep(join(folder, `${id}.out`), run.outputs.map((output) => JSON.stringify(output)).join('\n'));
  run.status = 'completed';
}

serveRuns(runs, async (rows, workload) => {
  const id = String(runs.size);
  runs.set(id, { status: 'running' });
  await keep(join(folder, `${id}.in`), rows.map((row) => JSON.stringify(row)).join('\n'));
  void work(id, { workload, rows });
  return id;
});
