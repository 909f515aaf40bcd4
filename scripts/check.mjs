// npm run check: every check that needs no running program, two at a time; prints in full only what fails.
import { pathToFileURL } from 'node:url';
import { script, seconds, start } from './process.mjs';

/** The longest first, so that none is waited for alone. */
export const mainChecks = [
  'check:lint',
  'check:types',
  'check:components',
  'check:layers',
  'check:pages',
  'check:dead-code',
];
/** `check:typed-components` has the rules of `check:components`, too. */
export const allChecks = [
  'check:typed-components',
  ...mainChecks.filter((part) => part !== 'check:components'),
  'check:format',
];

/** Names of the parts that failed. With `niceness` they take what other processes leave of the machine. */
export async function check(parts, { atOnce = 2, niceness = 0 } = {}) {
  const waiting = [...parts];
  const failed = [];
  const worker = async () => {
    for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
      if (!(await passes(part, niceness))) failed.push(part);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return failed;
}

async function passes(part, niceness) {
  const startedAt = performance.now();
  const { code, printed } = await start(script(part), [], 'pipe', niceness);
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'}  ${part} (${seconds(startedAt)})`);
  if (code !== 0) console.log(printed.trimEnd());
  return code === 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  process.exitCode = (await check(allChecks)).length > 0 ? 1 : 0;
}
