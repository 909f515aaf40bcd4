// The app's only window. The user can close and reopen it while the server keeps running.
import type { BrowserWindow, BrowserWindowConstructorOptions } from 'electron';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { ElectronApi } from './electron-api.ts';

type Deps = Pick<ElectronApi, 'BrowserWindow' | 'dialog'> & {
  readonly origin: string;
  readonly preload: string;
  readonly icon: string;
  readonly devTools: boolean;
  readonly clock: Clock;
  readonly log: Log;
};

/** A page that dies more often than this within the time is not loaded again without a question. */
const maxReloads = 3;
const reloadSpanMs = 5 * 60_000;

/** Everything that Electron's security page asks of a window, said outright whatever the defaults are. */
const windowOptions = ({
  preload,
  icon,
  devTools,
}: Pick<Deps, 'preload' | 'icon' | 'devTools'>): BrowserWindowConstructorOptions => ({
  name: 'main',
  windowStatePersistence: true,
  title: 'Rowbench',
  icon,
  width: 1280,
  height: 840,
  minWidth: 640,
  minHeight: 480,
  show: false,
  webPreferences: {
    preload,
    devTools,
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInWorker: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    allowRunningInsecureContent: false,
    experimentalFeatures: false,
    webviewTag: false,
    navigateOnDragDrop: false,
    spellcheck: false,
    safeDialogs: true,
  },
});

export class MainWindow {
  readonly #deps: Deps;
  #window: BrowserWindow | undefined;
  #crashes: readonly number[] = [];

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  get contentsId(): number | undefined {
    return this.#window?.webContents.id;
  }

  get isLookedAt(): boolean {
    return this.#window?.isFocused() === true;
  }

  /** Opens the window or brings it to the front, at a place of the app if one is named. */
  show(path?: string): void {
    const window = this.#window;
    if (window === undefined) {
      this.#open(path ?? '/');
      return;
    }
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
    if (path !== undefined) window.webContents.send('rowbench:go', path);
  }

  /** 0 to 1 on the dock or the task bar; -1 takes it away. */
  setProgress(progress: number): void {
    this.#window?.setProgressBar(progress);
  }

  #open(path: string): void {
    const { BrowserWindow, origin } = this.#deps;
    const window = new BrowserWindow(windowOptions(this.#deps));
    this.#window = window;
    window.once('ready-to-show', () => window.show());
    window.once('closed', () => (this.#window = undefined));
    window.webContents.on(
      'render-process-gone',
      (_event, { reason }) => void this.#onPageGone(window, reason),
    );
    window.loadURL(origin + path).catch((error: unknown) => {
      this.#deps.log.error({ error }, 'the page could not be loaded');
    });
  }

  /** The server and its runs live in this process and notice nothing of it. */
  async #onPageGone(window: BrowserWindow, reason: string): Promise<void> {
    const { clock, dialog, log } = this.#deps;
    if (reason === 'clean-exit' || window.isDestroyed()) return;
    log.warn({ reason }, 'the page ended and is loaded again');
    const now = clock.monotonic();
    this.#crashes = [...this.#crashes.filter((at) => now - at < reloadSpanMs), now];
    if (this.#crashes.length > maxReloads) {
      const { response } = await dialog.showMessageBox({
        type: 'warning',
        message: 'The window keeps failing',
        detail: 'Runs go on in the background. The page can be loaded again, or the window closed.',
        buttons: ['Load again', 'Close the window'],
        cancelId: 1,
        noLink: true,
      });
      this.#crashes = [];
      if (response !== 0) return window.destroy();
    }
    window.webContents.reload();
  }
}
