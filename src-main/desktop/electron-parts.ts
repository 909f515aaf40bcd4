// What the shell uses of Electron. Only main.ts and the preload load Electron itself; everything else gets it handed
// in, so that it can be tried without the binary.
import type * as electron from 'electron';

export type ElectronParts = Pick<
  typeof electron,
  | 'app'
  | 'BrowserWindow'
  | 'dialog'
  | 'ipcMain'
  | 'Menu'
  | 'nativeImage'
  | 'Notification'
  | 'powerMonitor'
  | 'powerSaveBlocker'
  | 'safeStorage'
  | 'session'
  | 'shell'
  | 'Tray'
  | 'utilityProcess'
>;
