// The order in which the desktop app starts: one instance, then the server, then the window on the server's origin.
import { join, posix, win32 } from 'node:path';
import { defaultDataDir } from '../app/default-data-dir.ts';
import { explainStart, type WayOutKind } from '../app/shell/explain-start.ts';
import { startApp, type RunningApp } from '../app/start-app.ts';
import { mayTouch } from '../app/shell/remote-file.ts';
import { agrees } from './bridge-handlers.ts';
import type { DesktopOptions } from './desktop-options.ts';
import type { ElectronApi } from './electron-api.ts';
import { createKeySeal, keyStoreOf, type KeyStore } from './key-seal.ts';
import { OpenRequests } from './open-requests.ts';
import { showDesktop } from './show-desktop.ts';
import { startOptions } from '../app/shell/start-options.ts';

export async function startDesktop(electron: ElectronApi, deps: DesktopOptions): Promise<void> {
  const { app } = electron;
  const platformPath = deps.platform === 'win32' ? win32 : posix;
  const options = startOptions(deps.argv, process.cwd(), platformPath);
  // The data folder has the name that Electron would give to its own files: these must not get in between.
  app.setPath('userData', join(app.getPath('appData'), 'Rowbench Window'));
  app.enableSandbox();
  if (!app.requestSingleInstanceLock()) {
    // The first instance is handed our arguments by Electron.
    app.quit();
    return;
  }
  if (app.isPackaged) app.setAsDefaultProtocolClient('rowbench');
  const opened = new OpenRequests(app, deps.argv, platformPath);
  await app.whenReady();
  if (!(await mayTouch(options.dataDir, (question) => agrees(electron, question)))) {
    app.exit(0);
    return;
  }
  const keyStore = await keyStoreOf(electron.safeStorage, deps.platform);
  const server = await startServer(electron, deps, { ...options, keyStore });
  if (server === undefined) {
    app.exit(0);
    return;
  }
  showDesktop(electron, { ...deps, server, opened, keyStore, isHidden: options.isHidden });
}

type OpenTarget = {
  readonly dataDir: string | undefined;
  readonly port: number | undefined;
  readonly keyStore: KeyStore;
};

/** Until it runs, or the user gives up: undefined. */
async function startServer(
  electron: ElectronApi,
  { folder, clock, log }: DesktopOptions,
  target: OpenTarget,
): Promise<RunningApp | undefined> {
  let { dataDir = defaultDataDir(), port } = target;
  for (;;) {
    try {
      return await startApp({
        dataDir,
        port,
        workerScript: join(folder, 'row-worker.cjs'),
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
        keySeal: createKeySeal(electron.safeStorage, target.keyStore),
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

/** Asks the user what to do about a failed start. */
type WayOut =
  | { readonly kind: Exclude<WayOutKind, 'other-folder'> }
  | { readonly kind: 'other-folder'; readonly dataDir: string };

/** Until there is an answer that can be followed. */
export async function askWayOut(
  dialog: ElectronApi['dialog'],
  error: unknown,
  dataDir: string,
): Promise<WayOut> {
  const { message, detail, choices } = explainStart(error, dataDir);
  const { response } = await dialog.showMessageBox({
    type: 'error',
    title: 'Rowbench',
    message,
    detail,
    buttons: choices.map(({ label }) => label),
    defaultId: 0,
    cancelId: choices.length - 1,
    noLink: true,
  });
  const { kind } = choices[response] ?? { kind: 'quit' };
  if (kind !== 'other-folder') return { kind };
  const chosen = await dialog.showOpenDialog({ properties: ['openDirectory', 'createDirectory'] });
  const [folder] = chosen.filePaths;
  return folder === undefined ? askWayOut(dialog, error, dataDir) : { kind, dataDir: folder };
}
