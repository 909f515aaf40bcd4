const signals = ['SIGINT', 'SIGTERM'] as const;

/**
 * Runs something that can be cancelled: the first Ctrl-C (or SIGTERM) aborts its signal, a second one ends the
 * process at once.
 */
export async function untilInterrupted<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const interrupt = (): void => {
    if (controller.signal.aborted) process.exit(130);
    controller.abort();
  };
  for (const signal of signals) process.on(signal, interrupt);
  try {
    return await work(controller.signal);
  } finally {
    for (const signal of signals) process.off(signal, interrupt);
  }
}
