// npm run bench: Rowbench beside simple programs and servers, in one run, as tables.
//   npm run bench -- calls                only the files whose name holds that
//   npm run bench -- engine --beside NAME=CHECKOUT    another build too, which has been built
//   npm run bench -- --write              puts the tables of these files into docs/benchmarks.md
//   npm run bench -- --json FILE          writes the lines of the tables as JSON
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { npm, root, start } from './process.mjs';

const { values, positionals } = parseArgs({
  options: { write: { type: 'boolean' }, json: { type: 'string' }, beside: { type: 'string' } },
  allowPositionals: true,
});

const folder = mkdtempSync(join(tmpdir(), 'rowbench-bench-'));
process.env.ROWBENCH_FIGURES = join(folder, 'figures.ndjson');
if (values.beside !== undefined) process.env.ROWBENCH_BESIDE = values.beside;
writeFileSync(process.env.ROWBENCH_FIGURES, '');
const { code } = await start(
  npm,
  ['exec', '--', 'vitest', 'run', '--project', 'bench', ...positionals],
  'inherit',
);
const lines = readFileSync(process.env.ROWBENCH_FIGURES, 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line));
rmSync(folder, { recursive: true, force: true });

const processors = cpus();
const machine =
  `${type()}, ${processors.length} cores (${processors[0]?.model.trim()}), ` +
  `${(totalmem() / 2 ** 30).toFixed(0)} GB, Node ${process.version}`;
const day = new Date().toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });

const specs = groupBy(lines, ({ spec }) => spec);
const sections = new Map(
  [...specs].map(([spec, ofSpec]) => [spec, `${machine}, ${day}\n\n${tablesOf(ofSpec)}`]),
);
for (const [spec, text] of sections) console.log(`\n${spec}: ${text}`);

if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify({ machine, lines }, null, 2)}\n`);
if (values.write) {
  if (code !== 0) throw new Error('only a good run is written down');
  const path = join(root, 'docs', 'benchmarks.md');
  let page = readFileSync(path, 'utf8');
  for (const [spec, text] of sections) {
    const place = new RegExp(`(<!-- figures: ${spec} -->\n)[^]*?(?=<!-- end of figures -->)`);
    if (!place.test(page)) throw new Error(`${path} has no place for the figures of ${spec}`);
    page = page.replace(place, (_, from) => `${from}\n${text}\n\n`);
  }
  writeFileSync(path, page);
}
process.exitCode = code;

/** A table of all lines that have the same columns. */
function tablesOf(ofSpec) {
  const tables = groupBy(ofSpec, ({ cells }) => Object.keys(cells).join('|'));
  return [...tables.values()].map((table) => tableOf(table.map(({ cells }) => cells))).join('\n\n');
}

function groupBy(list, keyOf) {
  const groups = new Map();
  for (const each of list) groups.set(keyOf(each), [...(groups.get(keyOf(each)) ?? []), each]);
  return groups;
}

function tableOf(rows) {
  const columns = Object.keys(rows[0]);
  const cells = rows.map((row) => columns.map((column) => row[column]));
  const widths = columns.map((name, at) => Math.max(name.length, ...cells.map((row) => row[at].length)));
  const tableLine = (row) => `| ${row.map((cell, at) => cell.padEnd(widths[at])).join(' | ')} |`;
  return [columns, widths.map((width) => '-'.repeat(width)), ...cells].map(tableLine).join('\n');
}
