// Saves a stream from the server as a file: in chunks if the browser lets a page write files, else buffered in memory.

export type SaveOptions = { readonly name: string; readonly type: string };

/** Maximum bytes that are buffered in memory if the page may not write files. */
const maxBufferedBytes = 500_000_000;

type PickFile = (options: { suggestedName: string }) => Promise<FileSystemFileHandle>;

/** The browser functions that saving needs, so that a test can replace them. */
export type SaveTarget = {
  readonly pick: PickFile | undefined;
  /** Downloads a buffered file. */
  readonly download: (file: Blob, name: string) => void;
};

class TooLargeToBuffer extends Error {
  override readonly name = 'TooLargeToBuffer';
}

/**
 * Resolves to false if the user cancelled the dialog. The file is chosen first, because the browser opens its dialog only
 * right after a key press or a click.
 */
export async function saveStream(
  { name, type }: SaveOptions,
  open: () => Promise<ReadableStream<Uint8Array<ArrayBuffer>>>,
  target: SaveTarget,
): Promise<boolean> {
  if (target.pick === undefined) {
    target.download(await readBlob(await open(), type), name);
    return true;
  }
  const handle = await target.pick({ suggestedName: name }).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') return undefined;
    throw error;
  });
  if (handle === undefined) return false;
  const stream = await open();
  // The browser writes a temporary file and replaces the chosen file only when the stream is complete.
  try {
    await stream.pipeTo(await handle.createWritable());
  } catch (error) {
    await removeIfEmpty(handle);
    throw error;
  }
  return true;
}

/** The browser creates a new file when the user chooses its name. */
async function removeIfEmpty(handle: RemovableHandle): Promise<void> {
  const file = await handle.getFile().catch(() => undefined);
  if (file?.size === 0) await handle.remove?.().catch(() => undefined);
}

type RemovableHandle = FileSystemFileHandle & { remove?(): Promise<void> };

async function readBlob(stream: ReadableStream<Uint8Array<ArrayBuffer>>, type: string): Promise<Blob> {
  const pieces: Blob[] = [];
  let buffered: Uint8Array<ArrayBuffer>[] = [];
  let bufferedBytes = 0;
  let bytes = 0;
  const reader = stream.getReader();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    bytes += piece.value.length;
    bufferedBytes += piece.value.length;
    if (bytes > maxBufferedBytes) {
      await reader.cancel();
      throw new TooLargeToBuffer(
        `More than ${maxBufferedBytes / 1e6} MB: this browser cannot save that from a page. Run "rowbench export" instead`,
      );
    }
    buffered.push(piece.value);
    // The browser may store a blob on disk, so that its bytes no longer take memory of the page.
    if (bufferedBytes > 8_000_000) {
      pieces.push(new Blob(buffered));
      buffered = [];
      bufferedBytes = 0;
    }
  }
  return new Blob([...pieces, ...buffered], { type });
}

/** The save functions of this browser. */
export const browserTarget = (): SaveTarget => ({
  pick: (globalThis as { showSaveFilePicker?: PickFile }).showSaveFilePicker?.bind(globalThis),
  download: (file, name) => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(file);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  },
});
