import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Clock } from '../base/clock.ts';

/** How long a client may take nothing at all before its connection is broken off. */
export type WriteTimeout = { readonly clock: Clock; readonly ms: number };

/** A reader that takes nothing for this time has gone, whatever its connection says. */
export const writeTimeoutMs = 30_000;

/** Hands bytes over; waits for a slow client, and no longer for one that has gone. */
export async function writeOut(
  response: ServerResponse,
  bytes: Uint8Array,
  timeout?: WriteTimeout,
): Promise<void> {
  if (bytes.length === 0 || response.destroyed || response.write(bytes)) return;
  const gone = new AbortController();
  const stop = (): void => gone.abort();
  response.once('close', stop);
  const cancel = timeout?.clock.setTimer(timeout.ms, () => response.destroy());
  await once(response, 'drain', { signal: gone.signal }).catch((error: unknown) => {
    if (!gone.signal.aborted) throw error;
  });
  cancel?.();
  response.off('close', stop);
}

const sliceBytes = 256 * 1024;

/** The same for many bytes, of which the connection is never given more than it can take soon. */
export async function writeSlices(
  response: ServerResponse,
  bytes: Uint8Array,
  timeout: WriteTimeout,
): Promise<void> {
  for (let from = 0; from < bytes.length && !response.destroyed; from += sliceBytes) {
    await writeOut(response, bytes.subarray(from, from + sliceBytes), timeout);
  }
}
