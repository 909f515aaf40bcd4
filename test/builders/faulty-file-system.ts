// The machine's files, with a fault at one chosen call, as on a full or failing disk.
import type { FileSystem, OpenFile } from '../../src-main/files/file-system.ts';
import { nodeFileSystem } from '../../src-main/files/node-file-system.ts';

/**
 * `ENOSPC`, `EIO`…: the call fails, a write after half its bytes. `one byte`, `all but one`, `nothing`: a write takes
 * only so much and succeeds; other calls go through.
 */
export type Fault =
  | 'ENOSPC'
  | 'EDQUOT'
  | 'EIO'
  | 'EPERM'
  | 'EBUSY'
  | 'EACCES'
  | 'EROFS'
  | 'EMFILE'
  | 'ENFILE'
  | 'ENOMEM'
  | 'EAGAIN'
  | 'one byte'
  | 'all but one'
  | 'nothing';

export type FaultPlan = {
  readonly fault: Fault;
  /** The first faulty call, from 1. */
  readonly at: number;
  /** Number of faulty calls, starting with the one at `at`. */
  readonly times: number;
  /** Which calls count, by operation and path; all if absent. */
  readonly counts?: (operation: Operation, path: string) => boolean;
};

export type Operation = keyof FileSystem | `file.${keyof OpenFile}`;
type FileOperation = keyof OpenFile;

export class FaultyFileSystem implements FileSystem {
  readonly #inner: FileSystem;
  /** Every call that counted, in order. */
  readonly calls: { readonly operation: Operation; readonly path: string }[] = [];
  plan: FaultPlan | undefined;

  constructor(plan?: FaultPlan, inner: FileSystem = nodeFileSystem) {
    this.plan = plan;
    this.#inner = inner;
  }

  /** Simulates a kill before this call: it and all later calls fail. */
  breakFrom(isIt: (operation: Operation, path: string) => boolean): void {
    let isBroken = false;
    const counts = (operation: Operation, path: string): boolean => (isBroken ||= isIt(operation, path));
    this.plan = { fault: 'EIO', at: 1, times: Infinity, counts };
    this.calls.length = 0;
  }

  async open(path: string, mode: Parameters<FileSystem['open']>[1]): Promise<OpenFile> {
    this.#count('open', path);
    return this.#wrap(await this.#inner.open(path, mode), path);
  }
  async rename(from: string, to: string): Promise<void> {
    this.#count('rename', to);
    return this.#inner.rename(from, to);
  }
  async makeFolder(path: string): Promise<void> {
    this.#count('makeFolder', path);
    return this.#inner.makeFolder(path);
  }
  async makePrivate(path: string): Promise<void> {
    this.#count('makePrivate', path);
    return this.#inner.makePrivate(path);
  }
  async copyPermissions(from: string, to: string): Promise<void> {
    this.#count('copyPermissions', to);
    return this.#inner.copyPermissions(from, to);
  }
  async list(path: string): Promise<readonly string[]> {
    this.#count('list', path);
    return this.#inner.list(path);
  }
  async remove(path: string): Promise<void> {
    this.#count('remove', path);
    return this.#inner.remove(path);
  }
  async stat(path: string): ReturnType<FileSystem['stat']> {
    this.#count('stat', path);
    return this.#inner.stat(path);
  }
  async realPath(path: string): Promise<string | undefined> {
    this.#count('realPath', path);
    return this.#inner.realPath(path);
  }
  async isWritable(folder: string): Promise<boolean> {
    this.#count('isWritable', folder);
    return this.#inner.isWritable(folder);
  }
  async freeBytes(path: string): Promise<number> {
    this.#count('freeBytes', path);
    return this.#inner.freeBytes(path);
  }
  async syncFolder(path: string): Promise<void> {
    this.#count('syncFolder', path);
    return this.#inner.syncFolder(path);
  }

  #wrap(file: OpenFile, path: string): OpenFile {
    const count = (operation: FileOperation): void => this.#count(`file.${operation}`, path);
    return {
      size: async () => (count('size'), file.size()),
      read: async (into, position) => (count('read'), file.read(into, position)),
      write: (bytes, position) => this.#write({ file, path, bytes, position }),
      truncate: async (size) => (count('truncate'), file.truncate(size)),
      sync: async () => (count('sync'), file.sync()),
      // A failed close has still let go of the file, as the system's does.
      close: async () => (await file.close(), count('close')),
    };
  }

  async #write(write: {
    file: OpenFile;
    path: string;
    bytes: Uint8Array;
    position: number;
  }): Promise<number> {
    const { bytes } = write;
    const fault = this.#faultOf('file.write', write.path);
    if (fault === undefined) return write.file.write(bytes, write.position);
    const taken = takenOf(fault, bytes.length);
    if (taken > 0) await write.file.write(bytes.subarray(0, taken), write.position);
    if (isError(fault)) throw errorOf(fault, 'file.write', write.path);
    return taken;
  }

  #count(operation: Operation, path: string): void {
    const fault = this.#faultOf(operation, path);
    if (fault !== undefined && isError(fault)) throw errorOf(fault, operation, path);
  }

  #faultOf(operation: Operation, path: string): Fault | undefined {
    if (this.plan?.counts !== undefined && !this.plan.counts(operation, path)) return undefined;
    this.calls.push({ operation, path });
    if (this.plan === undefined) return undefined;
    const { at, times, fault } = this.plan;
    return this.calls.length >= at && this.calls.length < at + times ? fault : undefined;
  }
}

const isError = (fault: Fault): boolean => fault.startsWith('E');

function takenOf(fault: Fault, length: number): number {
  if (fault === 'nothing') return 0;
  if (fault === 'one byte') return Math.min(1, length);
  return fault === 'all but one' ? Math.max(1, length - 1) : Math.floor(length / 2);
}

const errorOf = (code: string, operation: string, path: string): Error =>
  Object.assign(new Error(`${code}: made to fail, ${operation} '${path}'`), { code });
