// Saves a stream from the server as a file: in chunks if the browser lets a page write files, else gathered first.

export type FileWish = { readonly name: string; readonly type: string };

/** Maximum bytes that are gathered in memory if the page may not write files. */
const maxGatheredBytes = 500_000_000;

type PickFile = (options: { suggestedName: string }) => Promise<FileSystemFileHandle>;

/** The browser functions that saving needs, so that a test can replace them. */
export type SavePlace = {
  readonly pick: PickFile | undefined;
  /** Hands a gathered file over to the browser's downloads. */
  readonly hand: (file: Blob, name: string) => void;
};

class TooLargeToGather extends Error {
  override readonly name = 'TooLargeToGather';
}

/**
 * Resolves to whether it was saved: false where the person thought better of it. The file is chosen first, for the
 * browser asks only right after a key or a click.
 */
export async function saveStream(
  { name, type }: FileWish,
  open: () => Promise<ReadableStream<Uint8Array<ArrayBuffer>>>,
  place: SavePlace,
): Promise<boolean> {
  if (place.pick === undefined) {
    place.hand(await gathered(await open(), type), name);
    return true;
  }
  const handle = await place.pick({ suggestedName: name }).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') return undefined;
    throw error;
  });
  if (handle === undefined) return false;
  const stream = await open();
  // Written beside the file, which changes only once everything is there; a stream that breaks off leaves it as it was.
  await stream.pipeTo(await handle.createWritable());
  return true;
}

async function gathered(stream: ReadableStream<Uint8Array<ArrayBuffer>>, type: string): Promise<Blob> {
  const pieces: Blob[] = [];
  let held: Uint8Array<ArrayBuffer>[] = [];
  let heldBytes = 0;
  let bytes = 0;
  const reader = stream.getReader();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    bytes += piece.value.length;
    heldBytes += piece.value.length;
    if (bytes > maxGatheredBytes) {
      await reader.cancel();
      throw new TooLargeToGather(
        `More than ${maxGatheredBytes / 1e6} MB: this browser cannot save that from a page. Run "rowbench export" instead`,
      );
    }
    held.push(piece.value);
    // The browser may keep a blob on the disk; pieces of it are not the page's memory any more.
    if (heldBytes > 8_000_000) {
      pieces.push(new Blob(held));
      held = [];
      heldBytes = 0;
    }
  }
  return new Blob([...pieces, ...held], { type });
}

/** The browser's own ways. */
export const browserPlace = (): SavePlace => ({
  pick: (globalThis as { showSaveFilePicker?: PickFile }).showSaveFilePicker?.bind(globalThis),
  hand: (file, name) => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(file);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  },
});
