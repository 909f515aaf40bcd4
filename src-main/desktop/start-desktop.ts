// The order in which the desktop app starts: one instance, then the server, then the window on the server's origin.
import { join, posix, win32 } from 'node:path';
import { defaultDataDir } from '../app/default-data-dir.ts';
import { startApp, type RunningApp } from '../app/start-app.ts';
import { mayTouch } from '../app/shell/remote-file.ts';
import { agrees } from './bridge-handlers.ts';
import type { DesktopOptions } from './desktop-options.ts';
import type { ElectronParts } from './electron-parts.ts';
import { createKeySeal, keyStoreOf, type KeyStore } from './key-seal.ts';
import { OpenedPlaces } from './opened-places.ts';
import { showDesktop } from './show-desktop.ts';
import { startOptions } from '../app/shell/start-options.ts';
import { askWayOut } from './start-problem.ts';

export async function startDesktop(electron: ElectronParts, given: DesktopOptions): Promise<void> {
  const { app } = electron;
  const platformPath = given.platform === 'win32' ? win32 : posix;
  const options = startOptions(given.argv, process.cwd(), platformPath);
  // The data folder has the name that Electron would give to its own files: these must not get in between.
  app.setPath('userData', join(app.getPath('appData'), 'Rowbench Window'));
  app.enableSandbox();
  if (!app.requestSingleInstanceLock()) {
    // The first instance is handed our arguments by Electron.
    app.quit();
    return;
  }
  if (app.isPackaged) app.setAsDefaultProtocolClient('rowbench');
  const opened = new OpenedPlaces(app, given.argv, platformPath);
  await app.whenReady();
  if (!(await mayTouch(options.dataDir, (question) => agrees(electron, question)))) {
    app.exit(0);
    return;
  }
  const keyStore = await keyStoreOf(electron.safeStorage, given.platform);
  const server = await startServer(electron, given, { ...options, keyStore });
  if (server === undefined) {
    app.exit(0);
    return;
  }
  showDesktop(electron, { ...given, server, opened, keyStore, isHidden: options.isHidden });
}

type Wanted = {
  readonly dataDir: string | undefined;
  readonly port: number | undefined;
  readonly keyStore: KeyStore;
};

/** Until it runs, or the user gives up: undefined. */
async function startServer(
  electron: ElectronParts,
  { folder, clock, log }: DesktopOptions,
  wanted: Wanted,
): Promise<RunningApp | undefined> {
  let { dataDir = defaultDataDir(), port } = wanted;
  for (;;) {
    try {
      return await startApp({
        dataDir,
        port,
        workerScript: join(folder, 'row-worker.js'),
        pagesFolder: join(folder, 'renderer'),
        sample: true,
        forkUtility: (script, args, options) => electron.utilityProcess.fork(script, args, options),
        onStoreDied: (error) => {
          electron.dialog.showErrorBox(
            'Rowbench cannot go on',
            `${error.message}. Accepted runs go on at the next start.`,
          );
          electron.app.exit(1);
        },
        keySeal: createKeySeal(electron.safeStorage, wanted.keyStore),
        clock,
        log,
      });
    } catch (error) {
      const way = await askWayOut(electron.dialog, error, dataDir);
      if (way.kind === 'quit') return undefined;
      if (way.kind === 'other-port') port = 0;
      if (way.kind === 'other-folder') dataDir = way.dataDir;
    }
  }
}
