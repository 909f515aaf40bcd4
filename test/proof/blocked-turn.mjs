// Loaded into a server process by `--import`: a SIGUSR2 blocks its main thread for one turn. At the first one it computes
// for 300 ms of processor time, at the second one it waits for 300 ms.
import { isMainThread } from 'node:worker_threads';

const blockedMs = 300;

function compute() {
  const from = process.cpuUsage();
  for (let ms = 0; ms < blockedMs;) {
    const { user, system } = process.cpuUsage(from);
    ms = (user + system) / 1000;
  }
}

function wait() {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, blockedMs);
}

const turns = [compute, wait];

// Storage threads load it as well.
if (isMainThread)
  process.on('SIGUSR2', () => {
    turns.shift()?.();
    console.error(`turns left: ${turns.length}`);
  });
