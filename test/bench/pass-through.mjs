// The minimum cost of a body of rows whose content no process reads. The body is received over HTTP, stored with an
// fsync and piped to another process. That process's answer is stored with an fsync and served over HTTP. A server that
// takes rows from a client and processes them in another process does at least this.
// Usage: node pass-through.mjs FOLDER; prints its port.
import { spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';

const [folder] = process.argv.slice(2);
const runs = new Map();

/** Answers 37 of 100 bytes: so large the text workload's outputs are beside its rows. */
const answered = 0.37;
const otherProgram = `
  let read = 0, written = 0;
  process.stdin.on('data', (bytes) => {
    read += bytes.length;
    const due = Math.floor(read * ${answered}) - written;
    written += due;
    process.stdout.write(bytes.subarray(0, due));
  });`;
const other = spawn(process.execPath, ['-e', otherProgram], { stdio: ['pipe', 'pipe', 'inherit'] });
let passed = 0;
let answers = 0;
process.on('SIGTERM', () => {
  other.kill();
  process.exit();
});

const sizeOf = (chunks) => chunks.reduce((sum, { length }) => sum + length, 0);

async function keep(name, chunks) {
  const file = await open(join(folder, name), 'w');
  await file.writev(chunks);
  await file.datasync();
  await file.close();
}

/** The other process's answer. One call at a time. */
function passThrough(chunks) {
  passed += sizeOf(chunks);
  const due = Math.floor(passed * answered) - answers;
  answers += due;
  const answer = [];
  let left = due;
  return new Promise((resolve) => {
    other.stdout.on('data', (bytes) => {
      answer.push(bytes);
      left -= bytes.length;
      if (left > 0) return;
      other.stdout.removeAllListeners('data');
      resolve(answer);
    });
    for (const chunk of chunks) other.stdin.write(chunk);
  });
}

async function work(id, body) {
  const answer = await passThrough(body);
  await keep(`${id}.out`, answer);
  runs.set(id, { status: 'completed', answer });
}

const server = createServer((asked, answer) => {
  const [, kind, id, part] = asked.url.split('/');
  if (asked.method === 'POST') {
    const chunks = [];
    asked.on('data', (chunk) => chunks.push(chunk));
    asked.on('end', () => void accept(chunks, answer));
  } else if (kind === 'runs' && part === undefined) {
    answer.end(JSON.stringify({ data: { status: runs.get(id).status } }));
  } else {
    for (const chunk of runs.get(id).answer) answer.write(chunk);
    answer.end();
  }
});

async function accept(chunks, answer) {
  const id = String(runs.size);
  runs.set(id, { status: 'running' });
  await keep(`${id}.in`, chunks);
  void work(id, chunks);
  answer.writeHead(201).end(JSON.stringify({ data: { runId: id } }));
}

server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
