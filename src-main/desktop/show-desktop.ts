// Everything around the running server: window, tray, menu, notifications, and quitting.
import { join } from 'node:path';
import { askAboutRemoteFiles } from '../app/shell/remote-file.ts';
import { readBuildInfo, updateProblem } from '../app/shell/update-feed.ts';
import type { RunningApp } from '../app/start-app.ts';
import { appMenu } from './app-menu.ts';
import { agrees, answerBridge, pickWorkflow } from './bridge-handlers.ts';
import { proveControl } from './control-proof.ts';
import type { DesktopOptions } from './desktop-options.ts';
import type { ElectronApi } from './electron-api.ts';
import { keyStoreLabel, type KeyStore } from './key-seal.ts';
import { lockDownContents, lockDownSession } from './lock-down.ts';
import { MainWindow } from './main-window.ts';
import { createOpenOutside } from './open-outside.ts';
import type { OpenRequests } from './open-requests.ts';
import type { QuitGuard } from './quit-guard.ts';
import { hiddenOption } from '../app/shell/start-options.ts';
import { Updates } from './updates.ts';
import { watchRuns } from './watch-runs.ts';

type Options = DesktopOptions & {
  readonly server: RunningApp;
  readonly opened: OpenRequests;
  readonly keyStore: KeyStore;
  readonly isHidden: boolean;
};

export function showDesktop(electron: ElectronApi, options: Options): void {
  const { opened, log } = options;
  const window = openWindow(electron, options);
  const guard = watchRuns(electron, options, window);
  const updates = electron.app.isPackaged ? watchUpdates(electron, options, guard) : undefined;
  setMenu(electron, { ...options, updates }, window);
  electron.app.on('window-all-closed', () => {
    // Elsewhere than on macOS an app without a window is one that was left.
    if (options.platform !== 'darwin') electron.app.quit();
  });
  // The system does not wait for an answer; nothing is lost by leaving.
  electron.powerMonitor.on('shutdown', () => void guard.leave());
  electron.app.on('child-process-gone', (_event, { type, reason }) =>
    log.warn({ type, reason }, 'a process of the window ended; runs do not depend on it'),
  );
  const show = askAboutRemoteFiles(
    (path) => window.show(path),
    (question) => agrees(electron, question),
  );
  const appPath = opened.takeOver(show);
  if (!options.isHidden || appPath !== undefined) show(appPath);
}

/** The window's session is closed to everything before the window is there. */
function openWindow(electron: ElectronApi, { server, folder, icon, clock, log }: Options): MainWindow {
  const { app, session, BrowserWindow, dialog } = electron;
  const origin = new URL(server.url).origin;
  const devTools = !app.isPackaged;
  const preload = join(folder, 'preload.cjs');
  const window = new MainWindow({ BrowserWindow, dialog, origin, preload, icon, devTools, clock, log });
  const contentsId = (): number | undefined => window.contentsId;
  const openOutside = createOpenOutside({ ...electron, clock, log });
  lockDownSession(session.defaultSession, origin);
  proveControl(session.defaultSession, { origin, control: server.control, contentsId });
  app.on('web-contents-created', (_event, contents) =>
    lockDownContents(contents, origin, (address) => void openOutside(address)),
  );
  answerBridge({
    ...electron,
    origin,
    contentsId,
    dataDir: server.folder.path,
    handlers: server.handlers,
    go: (path) => window.show(path),
  });
  return window;
}

function watchUpdates({ app, dialog }: ElectronApi, options: Options, guard: QuitGuard): Updates {
  const { feedFile, platform, loadUpdater: load, server, clock, log } = options;
  const problem = async (): Promise<string | undefined> =>
    updateProblem(await readBuildInfo(feedFile), platform);
  const isOn = (): boolean => server.services.access.settings().updates === 'ask';
  const leave = (install: () => void): Promise<void> => guard.ask(install);
  const restart = (): void => {
    app.relaunch();
    app.quit();
  };
  return new Updates({ dialog, problem, load, isOn, leave, restart, clock, log });
}

type MenuOptions = Options & { readonly updates: Updates | undefined };

function setMenu(electron: ElectronApi, options: MenuOptions, window: MainWindow): void {
  const { platform, server, keyStore, updates } = options;
  const { app, dialog, Menu, shell } = electron;
  const say = (message: string, detail: string): void => {
    void dialog.showMessageBox({ type: 'info', message, detail, buttons: ['OK'], noLink: true });
  };
  const template = appMenu(
    {
      go: (path) => window.show(path),
      importWorkflow: () => void pickWorkflow(dialog).then((path) => path !== undefined && window.show(path)),
      showDataFolder: () => void shell.openPath(server.folder.path),
      explainSecrets: () => say('How secrets are kept', keyStoreLabel(keyStore)),
      about: () =>
        say(`Rowbench ${app.getVersion()}`, `Listening on ${server.url}\nData: ${server.folder.path}`),
      lookForUpdates: updates && (() => void updates.look(true)),
      opensAtLogin: app.getLoginItemSettings().openAtLogin,
      openAtLogin: (openAtLogin) => app.setLoginItemSettings({ openAtLogin, args: [hiddenOption] }),
    },
    platform === 'darwin',
  );
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}
