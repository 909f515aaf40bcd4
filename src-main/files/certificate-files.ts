// A TLS certificate and its key, which another program renews in place. The files are read again and again: watching
// for events misses files that are replaced by a link, as containers and ACME clients do.
import { readFile } from 'node:fs/promises';
import type { CancelTimer, Clock } from '../base/clock.ts';
import { Emitter } from '../base/emitter.ts';
import type { Log } from '../base/log.ts';

export type CertificatePaths = { readonly certFile: string; readonly keyFile: string };

/** Both as PEM texts. */
type CertificateTexts = { readonly cert: string; readonly key: string };

type Deps = { readonly clock: Clock; readonly log: Log };

const readEveryMs = 10_000;

export class CertificateFiles {
  readonly #paths: CertificatePaths;
  readonly #deps: Deps;
  readonly changes: Emitter<CertificateTexts>;
  #current: CertificateTexts;
  #cancel: CancelTimer = () => undefined;
  #isClosed = false;

  /** Throws the error of the file system for a file that cannot be read. */
  static async open(paths: CertificatePaths, deps: Deps): Promise<CertificateFiles> {
    return new CertificateFiles(paths, deps, await readBoth(paths));
  }

  private constructor(paths: CertificatePaths, deps: Deps, current: CertificateTexts) {
    this.#paths = paths;
    this.#deps = deps;
    this.#current = current;
    this.changes = new Emitter((error) =>
      deps.log.error({ error }, 'a renewed certificate could not be used'),
    );
    this.#readLater();
  }

  get current(): CertificateTexts {
    return this.#current;
  }

  /** Reads both files, and emits them if one has changed. While one is replaced the pair may not fit: the next read follows. */
  async refresh(): Promise<void> {
    try {
      const found = await readBoth(this.#paths);
      if (found.cert === this.#current.cert && found.key === this.#current.key) return;
      this.#current = found;
      if (!this.#isClosed) this.changes.emit(found);
    } catch (error) {
      this.#deps.log.warn({ error }, 'the files of the TLS certificate could not be read');
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel();
  }

  #readLater(): void {
    if (this.#isClosed) return;
    this.#cancel = this.#deps.clock.setTimer(readEveryMs, () => {
      void this.refresh().then(() => this.#readLater());
    });
  }
}

async function readBoth({ certFile, keyFile }: CertificatePaths): Promise<CertificateTexts> {
  const [cert, key] = await Promise.all([readFile(certFile, 'utf8'), readFile(keyFile, 'utf8')]);
  return { cert, key };
}
