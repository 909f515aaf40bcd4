import { setTimeout } from 'node:timers/promises';

/** The result of the work, and the longest time in ms in which `/healthz` of a server did not answer meanwhile. */
export async function longestSilence<Result>(
  url: string,
  work: () => Promise<Result>,
): Promise<{ readonly silentMs: number; readonly result: Result }> {
  let silentMs = 0;
  let isDone = false;
  const ask = async (): Promise<void> => {
    while (!isDone) {
      const from = performance.now();
      await (await fetch(`${url}/healthz`)).text();
      silentMs = Math.max(silentMs, performance.now() - from);
      await setTimeout(5);
    }
  };
  const asking = ask();
  try {
    const result = await work();
    isDone = true;
    await asking;
    return { result, silentMs };
  } finally {
    isDone = true;
  }
}
