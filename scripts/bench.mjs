// npm run bench: Rowbench beside simple programs and servers, in one run, as ratios in a table.
//   npm run bench -- calls            only the files whose name holds that
//   npm run bench -- --write          puts the table into docs/benchmarks.md
//   npm run bench -- --json FILE      writes the figures as JSON
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { npm, root, start } from './process.mjs';

const { values, positionals } = parseArgs({
  options: { write: { type: 'boolean' }, json: { type: 'string' } },
  allowPositionals: true,
});

const folder = mkdtempSync(join(tmpdir(), 'rowbench-bench-'));
process.env.ROWBENCH_FIGURES = join(folder, 'figures.ndjson');
writeFileSync(process.env.ROWBENCH_FIGURES, '');
const { code } = await start(
  npm,
  ['exec', '--', 'vitest', 'run', '--project', 'bench', ...positionals],
  'inherit',
);
const lines = readFileSync(process.env.ROWBENCH_FIGURES, 'utf8').split('\n').filter(Boolean);
const figures = lines.map((line) => JSON.parse(line));
rmSync(folder, { recursive: true, force: true });

const processors = cpus();
const machine = {
  system: `${type()}, ${processors.length} cores (${processors[0]?.model.trim()}), ${(totalmem() / 2 ** 30).toFixed(0)} GB`,
  node: process.version,
};
const columns = ['what', 'Rowbench', 'beside it', 'ratio', 'aim', 'met'];
const cells = figures.map(({ what, ours, baseline, ratio, aim, isMet }) => [
  what,
  ours,
  baseline,
  ratio.toFixed(2),
  aim,
  isMet ? 'yes' : 'no',
]);
const widths = columns.map((name, at) => Math.max(name.length, ...cells.map((row) => row[at].length)));
const tableLine = (row) => `| ${row.map((cell, at) => cell.padEnd(widths[at])).join(' | ')} |`;
const table = [columns, widths.map((width) => '-'.repeat(width)), ...cells].map(tableLine).join('\n');
console.log(`\n${machine.system}, Node ${machine.node}\n\n${table}\n`);

if (values.json !== undefined)
  writeFileSync(values.json, `${JSON.stringify({ machine, figures }, null, 2)}\n`);
if (values.write) {
  if (positionals.length > 0 || code !== 0) throw new Error('only a whole and good run is written down');
  const path = join(root, 'docs', 'benchmarks.md');
  const mark = /(<!-- figures -->\n)[\s\S]*(<!-- end of figures -->)/;
  const facts = `\n${machine.system}, Node ${machine.node}\n\n${table}\n\n`;
  writeFileSync(
    path,
    readFileSync(path, 'utf8').replace(mark, (_, from, to) => from + facts + to),
  );
}
process.exitCode = code;
