// The stores of one backend for all tests of a spec that asks questions about runs.
import { afterAll, beforeAll } from 'vitest';
import type { runOf } from './stored-rows.ts';
import { storeRun, type StoredRow } from './rows-with-results.ts';
import type { Backend, BackendStores } from './store-backends.ts';

type RunShape = {
  readonly rowsInCommit?: number | undefined;
  /** Fields of the run's record that differ from the usual ones. */
  readonly overrides?: Parameters<typeof runOf>[2];
};

export type QueriedStores = {
  readonly stores: BackendStores;
  /** Stores a run and resolves to its id. */
  store(rows: readonly StoredRow[], shape?: RunShape): Promise<string>;
};

/** Opens the stores before the tests of the current `describe`, and removes them after the last one. */
export function queriedStores(create: () => Promise<Backend>): QueriedStores {
  let backend: Backend;
  let stores: BackendStores;
  let lastRun = 0;
  beforeAll(async () => {
    backend = await create();
    stores = await backend.open();
    await stores.database.write('putSnapshot', 'a'.repeat(64), 'workflow', 'rowbench: 1');
  });
  afterAll(async () => {
    await stores.close();
    await backend.remove();
  });
  return {
    get stores() {
      return stores;
    },
    store: (rows, { rowsInCommit, overrides = {} } = {}) =>
      storeRun(stores, [(lastRun += 1), rows, overrides], rowsInCommit),
  };
}
