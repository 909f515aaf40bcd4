// A disk that takes its time: calls wait, before they are done or before their answer, until the test lets them go on.
import type { FileSystem, OpenFile } from '../../../src-main/files/file-system.ts';
import type { Pending } from './pending.ts';

export type SlowDisk = {
  readonly disk: FileSystem;
  readonly pending: Pending;
  /** True if a call waits; read before and after each call. */
  readonly waits: () => boolean;
  /** Called with each call after `close`. */
  readonly onLate: (call: string) => void;
};

export class SlowFileSystem implements FileSystem {
  readonly #options: SlowDisk;
  #state: 'open' | 'closed' | 'dead' = 'open';

  constructor(options: SlowDisk) {
    this.#options = options;
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
    const file = await this.call(`open ${path}`, () => this.#options.disk.open(path, mode));
    return this.#slowFile(path, file);
  };
  rename: FileSystem['rename'] = (from, to) =>
    this.call(`rename ${from}`, () => this.#options.disk.rename(from, to));
  makeFolder: FileSystem['makeFolder'] = (path) =>
    this.call(`makeFolder ${path}`, () => this.#options.disk.makeFolder(path));
  makePrivate: FileSystem['makePrivate'] = (path) => this.#options.disk.makePrivate(path);
  copyPermissions: FileSystem['copyPermissions'] = (from, to) => this.#options.disk.copyPermissions(from, to);
  list: FileSystem['list'] = (path) => this.call(`list ${path}`, () => this.#options.disk.list(path));
  remove: FileSystem['remove'] = (path) => this.call(`remove ${path}`, () => this.#options.disk.remove(path));
  stat: FileSystem['stat'] = (path) => this.#options.disk.stat(path);
  realPath: FileSystem['realPath'] = (path) => this.#options.disk.realPath(path);
  isWritable: FileSystem['isWritable'] = (folder) => this.#options.disk.isWritable(folder);
  freeBytes: FileSystem['freeBytes'] = (path) => this.#options.disk.freeBytes(path);
  syncFolder: FileSystem['syncFolder'] = (path) =>
    this.call(`syncFolder ${path}`, () => this.#options.disk.syncFolder(path));

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
    if (this.#state === 'closed') this.#options.onLate(name);
    await this.#wait();
    const result = await act();
    await this.#wait();
    return result;
  }

  #wait(): Promise<void> | undefined {
    if (this.#state === 'dead') return new Promise(() => undefined);
    if (!this.#options.waits()) return undefined;
    return new Promise((resolve) =>
      this.#options.pending.add(() => {
        if (this.#state !== 'dead') resolve();
      }),
    );
  }
}
