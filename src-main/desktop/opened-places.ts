// Receives links and files that the system hands over: at the start, later, and from a second instance.
import type { PlatformPath } from 'node:path';
import type { ElectronParts } from './electron-parts.ts';
import { placeOfArguments, placeOfFile, placeOfLink } from '../app/shell/opened-place.ts';

export class OpenedPlaces {
  #waiting: string | undefined;
  #show: ((place: string | undefined) => void) | undefined;

  /** To be made before the app is ready: macOS hands over early. */
  constructor(app: ElectronParts['app'], argv: readonly string[], path?: PlatformPath) {
    this.#waiting = placeOfArguments(argv, process.cwd(), path);
    app.on('second-instance', (_event, arguments_, folder) =>
      this.#open(placeOfArguments(arguments_, folder, path)),
    );
    app.on('open-url', (event, url) => {
      event.preventDefault();
      this.#open(placeOfLink(url));
    });
    app.on('open-file', (event, file) => {
      event.preventDefault();
      this.#open(placeOfFile(file));
    });
    app.on('activate', () => this.#open(undefined));
  }

  /** From now on each is shown; gives the one that came before. */
  takeOver(show: (place: string | undefined) => void): string | undefined {
    this.#show = show;
    return this.#waiting;
  }

  #open(place: string | undefined): void {
    if (this.#show === undefined) this.#waiting = place ?? this.#waiting;
    else this.#show(place);
  }
}
