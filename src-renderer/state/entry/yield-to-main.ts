/** Maximum time between two yields, short enough that no frame is missed. */
const maxBusyMs = 12;

/** Creates a function that long work calls often: from time to time it yields, so that the page can draw and respond. */
export function createYieldToMain(signal?: AbortSignal): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    signal?.throwIfAborted();
    if (performance.now() - since < maxBusyMs) return undefined;
    return new Promise((resolve) => {
      setTimeout(() => {
        since = performance.now();
        resolve();
      });
    });
  };
}
