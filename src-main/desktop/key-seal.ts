// Seals the key of the secrets with the system's key store. If there is no key store, or only one that protects
// nothing, the key stays unsealed in its file, as with `rowbench serve`. A message says so.
import type { AppOptions } from '../app/start-app.ts';
import type { ElectronApi } from './electron-api.ts';

type KeySeal = NonNullable<AppOptions['keySeal']>;
export type KeyStore = 'system' | 'none';

/** @param platform `process.platform` */
export async function keyStoreOf(
  safeStorage: ElectronApi['safeStorage'],
  platform: NodeJS.Platform,
): Promise<KeyStore> {
  // Linux without a key ring: Electron would then encrypt with a publicly known password.
  if (platform === 'linux' && ['basic_text', 'unknown'].includes(safeStorage.getSelectedStorageBackend()))
    return 'none';
  return (await safeStorage.isAsyncEncryptionAvailable().catch(() => false)) ? 'system' : 'none';
}

/** Seals nothing where there is no key store, and opens what one has sealed before. */
export const createKeySeal = (safeStorage: ElectronApi['safeStorage'], store: KeyStore): KeySeal => ({
  seal: async (key) => (store === 'none' ? undefined : safeStorage.encryptStringAsync(key)),
  open: async (sealed) => (await safeStorage.decryptStringAsync(Buffer.from(sealed))).result,
});

/** Text of the menu item "How secrets are kept". */
export const keyStoreLabel = (store: KeyStore): string =>
  store === 'system'
    ? "Secrets are encrypted in the data folder. Their key is protected by this system's key store, unless it was made by the command line before."
    : 'This system has no key store that Rowbench could use. Secrets are encrypted in the data folder, and their key is stored next to them: anyone who can read your files can read your secrets.';
