// Connects the server's runs to the tray, the notifications and the quit question.
import type { RunningApp } from '../app/start-app.ts';
import type { DesktopOptions } from './desktop-options.ts';
import type { ElectronApi } from './electron-api.ts';
import { EndNotices, type Notice } from '../app/shell/end-notices.ts';
import type { MainWindow } from './main-window.ts';
import { QuitGuard } from './quit-guard.ts';
import { RunWatch, summaryText, type RunSummary } from '../app/shell/run-watch.ts';
import type { MenuItemConstructorOptions, Tray } from 'electron';

type Options = DesktopOptions & { readonly server: RunningApp };

/** How many runs the app knows of at its start; there are seldom more unfinished ones. */
const runsAtStart = 1000;
/** Between two looks at the runs while they change. */
const showEveryMs = 500;

/** Ties the signs, the notifications and the quit question to the runs of the server. */
export function watchRuns(electron: ElectronApi, options: Options, window: MainWindow): QuitGuard {
  const { server, clock, log, icon } = options;
  const notices = new EndNotices(clock, (notice) => notify(electron, window, notice));
  const watch = new RunWatch((run) => {
    if (!window.isLookedAt) notices.add(run);
  });
  const verbs = {
    open: () => window.show(),
    pauseAll: () =>
      void pauseAll(server).catch((error: unknown) => log.warn({ error }, 'runs could not be paused')),
    quit: () => electron.app.quit(),
  };
  const signs = new RunSigns({ ...electron, window, icon, verbs });
  const guard = new QuitGuard({
    ...electron,
    active: () => watch.summary.active,
    close: async () => {
      signs.remove();
      await server.close();
    },
  });
  let isDue = false;
  const update = (): void => {
    isDue = false;
    signs.show(watch.summary);
    guard.runsChanged();
  };
  const changed = (): void => {
    if (!isDue) clock.setTimer(showEveryMs, update);
    isDue = true;
  };
  watch.follow(server.services.runs.runs, changed);
  server.handlers['run.list']({ limit: runsAtStart })
    .then((runs) => {
      for (const run of runs) watch.hear(run);
      update();
    })
    .catch((error: unknown) => log.error({ error }, 'runs could not be listed'));
  return guard;
}

async function pauseAll({ handlers }: RunningApp): Promise<void> {
  for (const status of ['queued', 'running'] as const)
    await handlers['run.bulk']({ verb: 'pause', filter: { status } });
}

function notify({ Notification }: ElectronApi, window: MainWindow, { title, body, path }: Notice): void {
  if (!Notification.isSupported()) return;
  const notification = new Notification({ title, body });
  notification.on('click', () => window.show(path));
  notification.show();
}

// Shows runs outside the window: in the tray, and as progress on the dock or task bar. Keeps the machine awake while
// runs are active.

type TrayVerbs = {
  readonly open: () => void;
  readonly pauseAll: () => void;
  readonly quit: () => void;
};

type Deps = Pick<ElectronApi, 'Menu' | 'Tray' | 'nativeImage' | 'powerSaveBlocker'> & {
  readonly window: Pick<MainWindow, 'setProgress'>;
  readonly icon: string;
  readonly verbs: TrayVerbs;
};

export class RunSigns {
  readonly #deps: Deps;
  readonly #tray: Tray;
  #blocker: number | undefined;
  #shown = '';

  constructor(deps: Deps) {
    this.#deps = deps;
    const image = deps.nativeImage.createFromPath(deps.icon).resize({ width: 18, height: 18 });
    this.#tray = new deps.Tray(image);
    this.#tray.on('click', deps.verbs.open);
  }

  show(summary: RunSummary): void {
    const { window } = this.#deps;
    window.setProgress(summary.active === 0 ? -1 : summary.progress);
    this.#stayAwake(summary.active > 0);
    const text = summaryText(summary);
    // A menu that is open must not be exchanged under the pointer for nothing.
    if (text === this.#shown) return;
    this.#shown = text;
    this.#tray.setToolTip(`Rowbench: ${text}`);
    this.#tray.setContextMenu(this.#deps.Menu.buildFromTemplate(trayMenu(summary, this.#deps.verbs)));
  }

  remove(): void {
    this.#stayAwake(false);
    this.#tray.destroy();
  }

  #stayAwake(isNeeded: boolean): void {
    const { powerSaveBlocker } = this.#deps;
    if (isNeeded) this.#blocker ??= powerSaveBlocker.start('prevent-app-suspension');
    else if (this.#blocker !== undefined) {
      powerSaveBlocker.stop(this.#blocker);
      this.#blocker = undefined;
    }
  }
}

/** For Electron's `Menu.buildFromTemplate`. */
const trayMenu = (summary: RunSummary, verbs: TrayVerbs): MenuItemConstructorOptions[] => [
  { label: summaryText(summary), enabled: false },
  { type: 'separator' },
  { label: 'Open Rowbench', click: verbs.open },
  { label: 'Pause all runs', enabled: summary.active > 0, click: verbs.pauseAll },
  { type: 'separator' },
  { label: 'Quit', click: verbs.quit },
];
