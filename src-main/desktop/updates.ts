// Looks for new versions of the app once a day, unless the user has switched that off. Downloads and installs one only
// when the user agrees. The new version itself handles the data folder: it keeps a copy before it starts.
import type { AppUpdater } from 'electron-updater';
import type { Clock } from '../base/clock.ts';
import { errorText } from '../base/app-error.ts';
import type { Log } from '../base/log.ts';
import type { ElectronApi } from './electron-api.ts';

/** The members of electron-updater that the app uses. */
export type Updater = Pick<
  AppUpdater,
  | 'autoDownload'
  | 'autoInstallOnAppQuit'
  | 'allowDowngrade'
  | 'allowPrerelease'
  | 'disableWebInstaller'
  | 'checkForUpdates'
  | 'downloadUpdate'
  | 'quitAndInstall'
  | 'once'
>;

type Deps = Pick<ElectronApi, 'dialog'> & {
  /** Why this build gets no updates; undefined if it does. */
  readonly problem: () => Promise<string | undefined>;
  readonly load: () => Promise<Updater>;
  /** By the settings. */
  readonly isOn: () => boolean;
  /** Ends the app as quitting does, with its question, and then does this. */
  readonly leave: (install: () => void) => Promise<void>;
  /** Starts the app anew. */
  readonly restart: () => void;
  readonly clock: Clock;
  readonly log: Log;
};

export const firstLookMs = 30_000;
export const everyMs = 24 * 3_600_000;

export class Updates {
  readonly #deps: Deps;
  #isLooking = false;
  /** Versions that the user wants to hear no more of until the next start. */
  readonly #declined = new Set<string>();

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#lookAfter(firstLookMs);
  }

  /** @param isManual requested by the user, who then gets a message whatever the result */
  async look(isManual: boolean): Promise<void> {
    if (this.#isLooking || !(isManual || this.#deps.isOn())) return;
    this.#isLooking = true;
    try {
      const outcome = await this.#lookNow(isManual);
      if (isManual && outcome !== undefined) await this.#say('info', outcome);
    } catch (error) {
      this.#deps.log.warn({ error }, 'a new version could not be had');
      const reason = errorText(error);
      if (isManual) await this.#say('warning', 'A new version could not be had', reason);
    } finally {
      this.#isLooking = false;
    }
  }

  #lookAfter(ms: number): void {
    this.#deps.clock.setTimer(ms, () => {
      void this.look(false);
      this.#lookAfter(everyMs);
    });
  }

  /** Gives what there is to say of it, beside what was asked. */
  async #lookNow(isManual: boolean): Promise<string | undefined> {
    const problem = await this.#deps.problem();
    if (problem !== undefined) return problem;
    const updater = await this.#deps.load();
    // Whatever the defaults are: nothing without a question, nothing older, no installer that fetches another.
    updater.autoDownload = false;
    updater.autoInstallOnAppQuit = false;
    updater.allowDowngrade = false;
    updater.allowPrerelease = false;
    updater.disableWebInstaller = true;
    const found = await updater.checkForUpdates();
    if (found === null) return 'This Rowbench was not installed in a way that lets it update itself';
    if (!found.isUpdateAvailable) return 'This is the newest version of Rowbench';
    const { version } = found.updateInfo;
    if (!isManual && this.#declined.has(version)) return undefined;
    if (!(await this.#agrees(`Rowbench ${version} is there. Download it?`, 'Download'))) {
      this.#declined.add(version);
      return undefined;
    }
    await updater.downloadUpdate();
    if (await this.#agrees(`Rowbench ${version} is downloaded. Install it now?`, 'Quit and install'))
      await this.#deps.leave(() => this.#install(updater));
    else this.#declined.add(version);
    return undefined;
  }

  /** By now the server has ended: an installer that does not start must not leave a window without one behind. */
  #install(updater: Updater): void {
    updater.once('error', () => this.#deps.restart());
    updater.quitAndInstall();
  }

  async #agrees(message: string, verb: string): Promise<boolean> {
    const { response } = await this.#deps.dialog.showMessageBox({
      type: 'question',
      message,
      detail: 'Your settings, keys and workflows are copied before the new version touches them.',
      buttons: [verb, 'Not now'],
      defaultId: 0,
      cancelId: 1,
      noLink: true,
    });
    return response === 0;
  }

  async #say(type: 'info' | 'warning', message: string, detail = ''): Promise<void> {
    await this.#deps.dialog.showMessageBox({ type, message, detail, buttons: ['OK'], noLink: true });
  }
}
