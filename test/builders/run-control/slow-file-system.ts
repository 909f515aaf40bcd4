// A disk that takes its time: calls wait, before they are done or before their answer, until the test lets them go on.
import type { FileSystem, OpenFile } from '../../../src-main/files/file-system.ts';
import type { Pending } from './pending.ts';

export type SlowDisk = {
  readonly disk: FileSystem;
  readonly pending: Pending;
  /** Whether a call waits, asked twice for each. */
  readonly waits: () => boolean;
  /** Called with each call after `close`. */
  readonly onLate: (call: string) => void;
};

export class SlowFileSystem implements FileSystem {
  readonly #parts: SlowDisk;
  #state: 'open' | 'closed' | 'dead' = 'open';

  constructor(parts: SlowDisk) {
    this.#parts = parts;
  }

  /** The process has let go of the disk: a call from now on is a fault. */
  close(): void {
    this.#state = 'closed';
  }

  /** The process is gone: its calls do nothing and are never answered. */
  die(): void {
    this.#state = 'dead';
  }

  open: FileSystem['open'] = async (path, mode) => {
    const file = await this.call(`open ${path}`, () => this.#parts.disk.open(path, mode));
    return this.#slowFile(path, file);
  };
  rename: FileSystem['rename'] = (from, to) =>
    this.call(`rename ${from}`, () => this.#parts.disk.rename(from, to));
  makeFolder: FileSystem['makeFolder'] = (path) =>
    this.call(`makeFolder ${path}`, () => this.#parts.disk.makeFolder(path));
  makePrivate: FileSystem['makePrivate'] = (path) => this.#parts.disk.makePrivate(path);
  list: FileSystem['list'] = (path) => this.call(`list ${path}`, () => this.#parts.disk.list(path));
  remove: FileSystem['remove'] = (path) => this.call(`remove ${path}`, () => this.#parts.disk.remove(path));
  stat: FileSystem['stat'] = (path) => this.#parts.disk.stat(path);
  realPath: FileSystem['realPath'] = (path) => this.#parts.disk.realPath(path);
  freeBytes: FileSystem['freeBytes'] = (path) => this.#parts.disk.freeBytes(path);
  syncFolder: FileSystem['syncFolder'] = (path) =>
    this.call(`syncFolder ${path}`, () => this.#parts.disk.syncFolder(path));

  #slowFile(path: string, file: OpenFile): OpenFile {
    return {
      size: () => file.size(),
      read: (into, position) => this.call(`read ${path}`, () => file.read(into, position)),
      write: (bytes, position) => this.call(`write ${path}`, () => file.write(bytes, position)),
      truncate: (size) => this.call(`truncate ${path}`, () => file.truncate(size)),
      sync: () => this.call(`sync ${path}`, () => file.sync()),
      close: () => this.call(`close ${path}`, () => file.close()),
    };
  }

  /** Does one call of the disk, or of the store that lies on it. */
  async call<T>(name: string, act: () => Promise<T>): Promise<T> {
    if (this.#state === 'closed') this.#parts.onLate(name);
    await this.#wait();
    const result = await act();
    await this.#wait();
    return result;
  }

  #wait(): Promise<void> | undefined {
    if (this.#state === 'dead') return new Promise(() => undefined);
    if (!this.#parts.waits()) return undefined;
    return new Promise((resolve) =>
      this.#parts.pending.add(() => {
        if (this.#state !== 'dead') resolve();
      }),
    );
  }
}
