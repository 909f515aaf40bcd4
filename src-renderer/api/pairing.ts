// The secret that lets this browser in, one for each data folder. The browser keeps it apart by scheme, host and port.

export type Pairing = {
  /** The browser's id in the list of paired browsers. */
  readonly browserId: string;
  readonly secret: string;
};

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const keyOf = (folderId: string): string => `rowbench-pairing-${folderId}`;

/** Browsers that store nothing let a page in by a link alone: reading gives undefined, and saving does nothing. */
export function loadPairing(folderId: string, store: Store = localStorage): Pairing | undefined {
  try {
    const saved = JSON.parse(store.getItem(keyOf(folderId)) ?? 'null') as Partial<Pairing> | null;
    return typeof saved?.browserId === 'string' && typeof saved.secret === 'string'
      ? { browserId: saved.browserId, secret: saved.secret }
      : undefined;
  } catch {
    return undefined;
  }
}

export function savePairing(folderId: string, pairing: Pairing, store: Store = localStorage): void {
  try {
    store.setItem(keyOf(folderId), JSON.stringify(pairing));
  } catch {
    // The page stays open until it is reloaded.
  }
}

export function removePairing(folderId: string, store: Store = localStorage): void {
  try {
    store.removeItem(keyOf(folderId));
  } catch {
    // A secret that the server does not know opens nothing.
  }
}
