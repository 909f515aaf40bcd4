// Shows runs outside the window: in the tray, and as progress on the dock or task bar. Keeps the machine awake while
// runs are active.
import type { MenuItemConstructorOptions, Tray } from 'electron';
import type { ElectronApi } from './electron-api.ts';
import type { MainWindow } from './main-window.ts';
import { summaryText, type RunSummary } from '../app/shell/run-watch.ts';

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
