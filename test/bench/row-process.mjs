// Runs the text workload's rows for another process: a line with rows in, a line with outputs out.
import { createInterface } from 'node:readline';
import { text } from './transforms.mjs';

createInterface({ input: process.stdin }).on('line', (line) => {
  process.stdout.write(`${JSON.stringify(JSON.parse(line).map(text))}\n`);
});
