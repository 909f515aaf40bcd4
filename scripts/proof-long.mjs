// npm run proof:long: the rigs of test/proof in their long form, as before a release.
//   npm run proof:long -- load        only the rigs whose name holds that
// At the end it says what it ran, how long each took, and the figures.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { npm, seconds, start } from './process.mjs';

const folder = mkdtempSync(join(tmpdir(), 'rowbench-proof-'));
const results = join(folder, 'results.json');
process.env.ROWBENCH_PROOF = 'long';
process.env.ROWBENCH_PROOF_FIGURES = join(folder, 'figures');
writeFileSync(process.env.ROWBENCH_PROOF_FIGURES, '');
const began = performance.now();
const { code } = await start(
  npm,
  [
    ...['run', 'proof', '--', '--reporter', 'default', '--reporter', 'json', '--outputFile.json', results],
    ...process.argv.slice(2),
  ],
  'inherit',
);

console.log(`\nThe long proof took ${seconds(began)}:`);
for (const { name, startTime, endTime, assertionResults: checks } of ranFiles()) {
  const failed = checks.filter(({ status }) => status === 'failed').length;
  const skipped = checks.filter(({ status }) => status !== 'passed').length - failed;
  const left = [...(failed > 0 ? [`${failed} failed`] : []), ...(skipped > 0 ? [`${skipped} skipped`] : [])];
  const took = ((endTime - startTime) / 1000).toFixed(0);
  console.log(`  ${[`${basename(name)}: ${checks.length} checks`, ...left, `${took} s`].join(', ')}`);
}
console.log(`\n${readFileSync(process.env.ROWBENCH_PROOF_FIGURES, 'utf8').replace(/^/gm, '  ').trimEnd()}`);
rmSync(folder, { recursive: true, force: true });
process.exitCode = code;

/** None where it did not come to an end. */
function ranFiles() {
  try {
    return JSON.parse(readFileSync(results, 'utf8')).testResults;
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
}
