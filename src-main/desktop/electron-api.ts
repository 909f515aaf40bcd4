// The members of Electron that the shell uses. Only main.ts and the preload load Electron; all other code receives it
// as a parameter, so that tests need no Electron binary.
import type * as electron from 'electron';

export type ElectronApi = Pick<
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
