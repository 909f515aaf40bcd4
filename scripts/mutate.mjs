// npm run mutants: mutation tests of the files that everything depends on, one small change at a time. Works in a copy
// of the checkout; prints each change that passed all specs. A target's specs run one after the other until one fails,
// so list the fastest first.
//   npm run mutants -- guard          only the targets whose name begins so
//   npm run mutants -- --list         the changes, without trying them
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { mutantsOf } from './mutants.mjs';
import { root, seconds } from './process.mjs';

const targets = [
  { name: 'guard', files: ['src-main/http/guard.ts'], specs: ['test/unit/http/guard.spec.ts'] },
  {
    name: 'keys',
    files: ['src-main/domain/keys/api-key.ts', 'src-main/services/access/key-service.ts'],
    specs: ['test/unit/services/access/key-service.spec.ts'],
  },
  {
    name: 'writer',
    files: [
      'src-main/storage/durable/durable-files.ts',
      'src-main/storage/durable/json-file.ts',
      'src-main/files/read-bytes.ts',
      'src-main/storage/durable/durable-files.ts',
      'src-main/storage/documents/json-document.ts',
    ],
    specs: ['test/unit/storage/durable-files.spec.ts', 'test/unit/storage/json-document.spec.ts'],
  },
  {
    name: 'limiter',
    files: [
      'src-main/domain/limits/published-limits.ts',
      'src-main/domain/limits/sliding-minute.ts',
      'src-main/services/api/limit-service.ts',
    ],
    specs: [
      'test/unit/domain/limits/published-limits.spec.ts',
      'test/unit/domain/limits/sliding-minute.spec.ts',
      'test/unit/services/api/limit-service.spec.ts',
    ],
  },
  {
    name: 'status-table',
    files: ['src-main/domain/run/run-status.ts'],
    specs: ['test/unit/domain/run/run-status.spec.ts'],
  },
];

/** Minimum share of a target's mutants that its specs must detect, 0 to 1. */
const minShare = 0.9;
/** The checkout's own starts a server for each of its projects, which takes longer than most of these specs. */
const config =
  "export default { test: { include: ['test/unit/**/*.spec.ts'], pool: 'forks', testTimeout: 20_000 } };";
/** A change that makes a spec hang is noticed too: when it takes this much longer than without any change. */
const patience = { factor: 4, ms: 10_000 };
/** And one that makes it take all memory, before the machine is out of it. */
const memoryMb = 1024;

const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const isListing = process.argv.includes('--list');
const chosen = targets.filter(
  ({ name }) => wanted.length === 0 || wanted.some((start) => name.startsWith(start)),
);
if (chosen.length === 0) throw new Error(`no such target: ${wanted.join(', ')}`);

/** Copies of the checkout, gone however we end. */
const copiesMade = new Set();
process.once('exit', () => {
  for (const copy of copiesMade) rmSync(copy, { recursive: true, force: true });
});

/** Running specs. Each leads a process group, and a spec that hangs would outlive this script after a signal. */
const underWay = new Set();
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    for (const child of underWay) endGroup(child);
    process.exit(1);
  });
}

const startedAt = performance.now();
let isEnough = true;
for (const target of chosen) {
  const mutants = target.files.flatMap((path) => mutantsOf(path, readFileSync(join(root, path), 'utf8')));
  if (isListing) for (const mutant of mutants) console.log(sentence(mutant));
  else isEnough = (await tryAll(target, mutants)) && isEnough;
}
if (!isListing) console.log(`tried in ${seconds(startedAt)}`);
process.exitCode = isEnough ? 0 : 1;

/** Gives whether enough of them were noticed. */
async function tryAll(target, mutants) {
  const copies = Array.from({ length: Math.max(1, Math.min(2, availableParallelism())) }, copyOfCheckout);
  try {
    const specs = await Promise.all(copies.map((copy) => timed(copy, target)));
    const waiting = [...mutants];
    const survivors = [];
    await Promise.all(
      copies.map(async (copy, at) => {
        for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
          if (!(await survives(copy, mutant, specs[at]))) continue;
          survivors.push(mutant);
          console.log(`  unnoticed: ${sentence(mutant)}`);
        }
      }),
    );
    const share = 1 - survivors.length / mutants.length;
    const noticed = mutants.length - survivors.length;
    console.log(
      `${target.name}: ${noticed} of ${mutants.length} changes noticed, ${(share * 100).toFixed(1)} %`,
    );
    return share >= minShare;
  } finally {
    for (const copy of copies) rmSync(copy, { recursive: true, force: true });
  }
}

/** The target's specs, each with the time after which it hangs. Side by side, as they run later. */
async function timed(copy, { name, specs }) {
  const all = [];
  for (const spec of specs) {
    const began = performance.now();
    if (!(await passes(copy, { spec, longestMs: 120_000 })))
      throw new Error(`${name}: ${spec} fails as it is`);
    all.push({ spec, longestMs: patience.ms + patience.factor * (performance.now() - began) });
  }
  return all;
}

async function survives(copy, mutant, specs) {
  const path = join(copy, mutant.path);
  const original = readFileSync(path, 'utf8');
  writeFileSync(path, mutant.text);
  try {
    for (const spec of specs) if (!(await passes(copy, spec))) return false;
    return true;
  } finally {
    writeFileSync(path, original);
  }
}

function copyOfCheckout() {
  const copy = mkdtempSync(join(tmpdir(), 'rowbench-mutants-'));
  copiesMade.add(copy);
  for (const name of ['src-main', 'test', 'examples', 'docs', 'package.json', 'tsconfig.json']) {
    cpSync(join(root, name), join(copy, name), { recursive: true });
  }
  writeFileSync(join(copy, 'vitest.config.mjs'), config);
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction');
  return copy;
}

function passes(copy, { spec, longestMs }) {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const args = [vitest, 'run', '--bail', '1', '--reporter', 'dot', spec];
  const env = { ...process.env, NODE_OPTIONS: `--max-old-space-size=${memoryMb}` };
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: copy, env, stdio: 'ignore', detached: true });
    underWay.add(child);
    const timer = setTimeout(() => endGroup(child), longestMs);
    child.once('error', reject);
    child.once('close', (code) => {
      underWay.delete(child);
      clearTimeout(timer);
      resolve(code === 0);
    });
  });
}

function endGroup(child) {
  if (process.platform === 'win32') child.kill('SIGKILL');
  else process.kill(-child.pid, 'SIGKILL');
}

function sentence({ path, line, before, after }) {
  return `${path}:${line}  ${before}  ->  ${after === '' ? '(nothing)' : after}`;
}
