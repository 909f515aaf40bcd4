/** As long as the page may be busy without a frame being missed. */
const longestMs = 12;

/** A pause to call often in long work: it lets the page draw and answer once the work has gone on for a while. */
export function createBreather(signal?: AbortSignal): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    signal?.throwIfAborted();
    if (performance.now() - since < longestMs) return undefined;
    return new Promise((resolve) => {
      setTimeout(() => {
        since = performance.now();
        resolve();
      });
    });
  };
}
