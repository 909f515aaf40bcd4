// The limit that workloads are measured against: one Node process that reads a file of JSON lines, parses, transforms
// and writes a file of JSON lines, with one fsync at the end. No sandbox, no server, no row state.
// Usage: node plain-loop.mjs WORKLOAD INPUT OUTPUT; prints milliseconds.
import { closeSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import * as transforms from './transforms.mjs';

const [workload, input, output] = process.argv.slice(2);
const transform = transforms[workload];

const began = performance.now();
const from = openSync(input, 'r');
const to = openSync(output, 'w');
const chunk = Buffer.allocUnsafe(256 * 1024);
let rest = '';
for (let bytes = readSync(from, chunk); bytes > 0; bytes = readSync(from, chunk)) {
  const lines = (rest + chunk.toString('utf8', 0, bytes)).split('\n');
  rest = lines.pop();
  let written = '';
  for (const line of lines) written += JSON.stringify(transform(JSON.parse(line))) + '\n';
  writeSync(to, written);
}
fsyncSync(to);
closeSync(to);
closeSync(from);
process.stdout.write(String(performance.now() - began));
