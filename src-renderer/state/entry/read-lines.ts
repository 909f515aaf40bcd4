import { createYieldToMain } from './yield-to-main.ts';

/** Reads one JSON value per line, without blocking the page. Throws if the stream breaks off. */
export async function readLines(
  stream: ReadableStream<Uint8Array>,
  take: (line: unknown) => void,
): Promise<void> {
  const reader = stream.getReader();
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const yieldToMain = createYieldToMain();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      const lines = (rest + (done ? decoder.decode() : decoder.decode(value, { stream: true }))).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) take(JSON.parse(line));
      if (done) return;
      await yieldToMain();
    }
  } finally {
    await reader.cancel();
  }
}
