// The desktop app's program: the only file that loads Electron (the preload aside).
import { join } from 'node:path';
import * as electron from 'electron';
import { systemClock } from '../base/system-clock.ts';
import { createLog } from '../app/log.ts';
import { startDesktop } from './start-desktop.ts';

const log = createLog('warn');

startDesktop(electron, {
  // The build puts programs, pages and preload into one folder.
  folder: import.meta.dirname,
  icon: join(import.meta.dirname, 'renderer', 'icon.png'),
  platform: process.platform,
  argv: process.argv,
  feedFile: join(process.resourcesPath, 'app-update.yml'),
  // Loaded only where it is of use: it reaches for the network and for installers.
  loadUpdater: async () => (await import('electron-updater')).default.autoUpdater,
  clock: systemClock,
  log,
}).catch((error: unknown) => {
  log.error({ error }, 'the app could not start');
  electron.app.exit(1);
});
