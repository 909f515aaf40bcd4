import type { Updater } from '../../src-main/desktop/updates.ts';

/** electron-updater as far as the shell uses it: what is asked of it is kept, and a test says which version there is. */
export class UpdaterDouble {
  autoDownload = true;
  autoInstallOnAppQuit = true;
  allowDowngrade = true;
  allowPrerelease = true;
  disableWebInstaller = false;
  readonly done: string[] = [];
  failure: Error | undefined;
  /** Why the installer does not start: told as an event, as electron-updater does. */
  installFailure: Error | undefined;
  #onError: ((error: Error) => void) | undefined;
  /** false: not installed as something that it knows to replace. */
  isActive = true;
  /** The newest one; empty: there is none newer. */
  version: string;

  constructor(version: string) {
    this.version = version;
  }

  async checkForUpdates(): Promise<object | null> {
    if (!this.isActive) return null;
    if (this.failure !== undefined) throw this.failure;
    this.done.push('check');
    return { isUpdateAvailable: this.version !== '', updateInfo: { version: this.version } };
  }
  async downloadUpdate(): Promise<string[]> {
    this.done.push('download');
    return [];
  }
  quitAndInstall(): void {
    this.done.push('install');
    if (this.installFailure !== undefined) this.#onError?.(this.installFailure);
  }
  once(_event: 'error', listener: (error: Error) => void): void {
    this.#onError = listener;
  }

  /** As the shell takes it. */
  get part(): Updater {
    return this as unknown as Updater;
  }
}
