// The bytes of a file that the user has chosen, unpacked if they are packed with gzip.
import { gzipDamaged, openBytes, type OpenedBytes } from '#contract';

/** Opens the file. `onBytes` is called with the number of bytes that were read from it. */
export const openFile = (file: Blob, onBytes?: (bytes: number) => void): Promise<OpenedBytes> =>
  openBytes(piecesOf(file.stream(), onBytes), { gunzip });

async function* piecesOf(
  stream: ReadableStream<Uint8Array>,
  onBytes?: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onBytes?.(value.length);
      yield value;
    }
  } finally {
    await reader.cancel();
  }
}

async function* gunzip(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const pieces = packed[Symbol.asyncIterator]();
  let sourceError: Error | undefined;
  const source = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      try {
        const next = await pieces.next();
        if (next.done === true) controller.close();
        else controller.enqueue(Uint8Array.from(next.value));
      } catch (error) {
        sourceError = error as Error;
        throw error;
      }
    },
    cancel: async () => void (await pieces.return?.()),
  });
  try {
    yield* piecesOf(source.pipeThrough(new DecompressionStream('gzip')));
  } catch (error) {
    // Browsers do not say if the end is missing or the content is wrong.
    throw sourceError ?? gzipDamaged(false, error);
  }
}
