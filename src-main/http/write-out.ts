import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

/** Hands bytes over; waits for a slow client, and no longer for one that has gone. */
export async function writeOut(response: ServerResponse, bytes: Buffer): Promise<void> {
  if (bytes.length === 0 || response.destroyed || response.write(bytes)) return;
  const gone = new AbortController();
  const stop = (): void => gone.abort();
  response.once('close', stop);
  await once(response, 'drain', { signal: gone.signal }).catch((error: unknown) => {
    if (!gone.signal.aborted) throw error;
  });
  response.off('close', stop);
}
