// Runs of one row by 8 clients, in the first seconds of a new server, beside a floor server as new.
import { join } from 'node:path';
import { it } from 'vitest';
import { temporaryFolder } from '../builders/temporary-folder.ts';
import { textBody } from '../builders/text-workload.ts';
import { atLeast, median, medianRatio, report } from './figures.ts';
import {
  dropConnections,
  startFloor,
  startRowbench,
  timeRun,
  writeWorkflows,
  type Subject,
} from './subjects.ts';

const repetitions = 5;
const seconds = ['first', 'second', 'third'];
const oneRow = textBody(1);

it('small runs of 8 clients, compared with a floor server', { timeout: 180_000 }, async () => {
  const folder = await temporaryFolder();
  const workflows = await writeWorkflows(folder, 'http://127.0.0.1:9/');
  const [ours, floors]: [number[][], number[][]] = [[], []];
  for (let turn = 0; turn < repetitions; turn += 1) {
    ours.push(await ratesOf(await startRowbench({ dataDir: join(folder, `data-${turn}`), workflows })));
    floors.push(await ratesOf(await startFloor(join(folder, `floor-${turn}`), '')));
  }
  for (const [at, second] of seconds.entries()) {
    const [our, their] = [ours, floors].map((rates) => rates.map((each) => each[at]!)) as [
      number[],
      number[],
    ];
    report(
      atLeast(0.5, {
        what: `runs of one row, 8 clients, ${second} second`,
        ours: `${median(our).toFixed(0)} runs/s`,
        baseline: `floor server ${median(their).toFixed(0)} runs/s`,
        ratio: medianRatio(our, their),
      }),
    );
  }
});

/** Runs of a new server in each second. It ends afterwards. */
async function ratesOf(server: Subject): Promise<number[]> {
  dropConnections();
  const rates: number[] = [];
  try {
    for (const _second of seconds) rates.push(await runsInOneSecond(server));
  } finally {
    await server.stop();
  }
  return rates;
}

async function runsInOneSecond(server: Subject): Promise<number> {
  const began = performance.now();
  let done = 0;
  const client = async (): Promise<void> => {
    for (; performance.now() < began + 1000; done += 1) await timeRun(server, 'text', oneRow);
  };
  await Promise.all(Array.from({ length: 8 }, client));
  return (1000 * done) / (performance.now() - began);
}
