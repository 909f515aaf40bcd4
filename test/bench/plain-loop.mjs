// The limit that the text workload is measured against: one Node process that reads a file of JSON lines, parses,
// transforms and writes a file of JSON lines, with one fsync at the end. No sandbox, no server, no row state.
// Usage: node plain-loop.mjs INPUT OUTPUT; prints milliseconds.
import { closeSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';

const [input, output] = process.argv.slice(2);

const transform = (row) => ({
  greeting: `Hello ${row.name} from ${row.company}`,
  domain: row.email.split('@')[1],
  points: Math.round(row.score * 2),
  tags: row.tags.map((tag) => tag.toUpperCase()),
  label: row.score > 50 ? 'hot' : 'cold',
});

const began = performance.now();
const from = openSync(input, 'r');
const to = openSync(output, 'w');
const chunk = Buffer.allocUnsafe(256 * 1024);
let rest = '';
for (let bytes = readSync(from, chunk); bytes > 0; bytes = readSync(from, chunk)) {
  const lines = (rest + chunk.toString('utf8', 0, bytes)).split('\n');
  rest = lines.pop();
  let text = '';
  for (const line of lines) text += JSON.stringify(transform(JSON.parse(line))) + '\n';
  writeSync(to, text);
}
fsyncSync(to);
closeSync(to);
closeSync(from);
process.stdout.write(String(performance.now() - began));
