// Receives links and files that the system hands over: at the start, later, and from a second instance.
import type { PlatformPath } from 'node:path';
import type { ElectronApi } from './electron-api.ts';
import { pathOfArguments, pathOfFile, pathOfLink } from '../app/shell/app-path.ts';

export class OpenRequests {
  #waiting: string | undefined;
  #show: ((appPath: string | undefined) => void) | undefined;

  /** To be made before the app is ready: macOS hands over early. */
  constructor(app: ElectronApi['app'], argv: readonly string[], path?: PlatformPath) {
    this.#waiting = pathOfArguments(argv, process.cwd(), path);
    app.on('second-instance', (_event, arguments_, folder) =>
      this.#open(pathOfArguments(arguments_, folder, path)),
    );
    app.on('open-url', (event, url) => {
      event.preventDefault();
      this.#open(pathOfLink(url));
    });
    app.on('open-file', (event, file) => {
      event.preventDefault();
      this.#open(pathOfFile(file));
    });
    app.on('activate', () => this.#open(undefined));
  }

  /** From now on each is shown; gives the one that came before. */
  takeOver(show: (appPath: string | undefined) => void): string | undefined {
    this.#show = show;
    return this.#waiting;
  }

  #open(appPath: string | undefined): void {
    if (this.#show === undefined) this.#waiting = appPath ?? this.#waiting;
    else this.#show(appPath);
  }
}
