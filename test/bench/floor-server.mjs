// The floor: about the smallest Koa server that keeps what it was given. Whole bodies in memory, the transform inlined,
// rows and outputs as files of JSON lines with an fsync each; no keys, no sandbox, no row state, no recovery.
// Usage: node floor-server.mjs FOLDER UPSTREAM; prints its port.
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import Koa from 'koa';
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

const app = new Koa();
app.use(async (ctx) => {
  const [, kind, name, part] = ctx.path.split('/');
  if (ctx.method === 'POST') {
    const chunks = [];
    for await (const chunk of ctx.req) chunks.push(chunk);
    const { rows } = JSON.parse(Buffer.concat(chunks).toString());
    const id = String(runs.size);
    runs.set(id, { status: 'running' });
    await keep(join(folder, `${id}.in`), rows.map((row) => JSON.stringify(row)).join('\n'));
    void work(id, { workload: name, rows });
    ctx.status = 201;
    ctx.body = { success: true, data: { runId: id } };
  } else if (kind === 'runs' && part === undefined) {
    ctx.body = { success: true, data: { status: runs.get(name).status } };
  } else {
    const { outputs } = runs.get(name);
    ctx.body = {
      success: true,
      data: Object.fromEntries(outputs.map((output, at) => [`row_${at + 1}`, output])),
    };
  }
});
const server = app.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
