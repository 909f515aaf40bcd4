// A disk in memory that simulates a power cut. Each file and folder keeps its last synced state. Of the changes since
// then, the test chooses those that the disk wrote anyway.
import { dirname, basename } from 'node:path';
import type { FileStat, FileSystem, OpenFile, OpenMode } from '../../src-main/files/file-system.ts';

type FileNode = { kind: 'file'; data: Buffer; synced: Buffer };
type FolderNode = { kind: 'folder'; entries: Map<string, Node>; durable: Map<string, Node> };
type Node = FileNode | FolderNode;
/** One creation, rename or removal: all of it reaches the disk or nothing. */
type EntryChange = { folder: FolderNode; name: string; node: Node | undefined }[];

/** The unsynced changes that survive a power cut. */
export type Cut = {
  /** Which unsynced creations, renames and removals the disk wrote anyway. */
  readonly entries: (change: number) => boolean;
  /** Surviving data of all files, or of each file by its index in a walk through the disk. */
  readonly data: Survival | ((file: number) => Survival);
};

/**
 * The part of a file's unsynced bytes that survives: none; the first half of its growth; all; the first half,
 * overwritten bytes included; the new length, with zeros as growth; every second sector, from the first or second on.
 */
type Survival = (typeof survivals)[number];
export const survivals = ['synced', 'half', 'all', 'torn', 'zeros', 'even sectors', 'odd sectors'] as const;

/** A cut that loses every unsynced change. */
export const losingAll = { entries: () => false, data: 'synced' } as const satisfies Cut;

const sectorBytes = 512;

export class PowerCutFileSystem implements FileSystem {
  readonly #root: FolderNode;
  #unsynced: EntryChange[] = [];
  /** Called before each call that changes or syncs something. */
  beforeChange: () => void = () => undefined;

  constructor(root: FolderNode = newFolder()) {
    this.#root = root;
  }

  /** The disk after a power cut at this moment. */
  afterCut(cut: Cut): PowerCutFileSystem {
    const folders = new Map<FolderNode, Map<string, Node>>();
    const entriesOf = (folder: FolderNode): Map<string, Node> => {
      const entries = folders.get(folder) ?? new Map(folder.durable);
      folders.set(folder, entries);
      return entries;
    };
    this.#unsynced.filter((_, index) => cut.entries(index)).forEach((change) => applyTo(entriesOf, change));
    let files = 0;
    const rebuild = (node: Node): Node => {
      if (node.kind === 'file') {
        const survival = typeof cut.data === 'string' ? cut.data : cut.data((files += 1));
        const data = Buffer.from(survivingData(node, survival));
        return { kind: 'file', data, synced: data };
      }
      const entries = new Map([...entriesOf(node)].map(([name, inner]) => [name, rebuild(inner)]));
      return { kind: 'folder', entries, durable: new Map(entries) };
    };
    return new PowerCutFileSystem(rebuild(this.#root) as FolderNode);
  }

  async open(path: string, mode: OpenMode): Promise<OpenFile> {
    const found = this.#find(path);
    if (mode === 'create' && found !== undefined) throw failure('EEXIST', path);
    if ((mode === 'read' || mode === 'write') && found === undefined) throw failure('ENOENT', path);
    if (found?.kind === 'folder') throw failure('EISDIR', path);
    if (found !== undefined) return this.#handle(found);
    this.beforeChange();
    const file: FileNode = { kind: 'file', data: Buffer.alloc(0), synced: Buffer.alloc(0) };
    this.#change([{ folder: this.#folder(dirname(path)), name: basename(path), node: file }]);
    return this.#handle(file);
  }

  async rename(from: string, to: string): Promise<void> {
    const node = this.#find(from);
    if (node === undefined) throw failure('ENOENT', from);
    this.beforeChange();
    this.#change([
      { folder: this.#folder(dirname(from)), name: basename(from), node: undefined },
      { folder: this.#folder(dirname(to)), name: basename(to), node },
    ]);
  }

  async makeFolder(path: string): Promise<void> {
    if (this.#find(path) !== undefined) throw failure('EEXIST', path);
    this.beforeChange();
    this.#change([{ folder: this.#folder(dirname(path)), name: basename(path), node: newFolder() }]);
  }

  async makePrivate(): Promise<void> {}

  async copyPermissions(): Promise<void> {}

  async list(path: string): Promise<readonly string[]> {
    return [...this.#folder(path).entries.keys()];
  }

  async remove(path: string): Promise<void> {
    const node = this.#find(path);
    if (node === undefined) return;
    for (const name of node.kind === 'folder' ? [...node.entries.keys()] : [])
      await this.remove(`${path}/${name}`);
    this.beforeChange();
    this.#change([{ folder: this.#folder(dirname(path)), name: basename(path), node: undefined }]);
  }

  /** Returns the path itself, since the disk has no links. */
  async realPath(path: string): Promise<string | undefined> {
    return this.#find(path) === undefined ? undefined : path;
  }

  async stat(path: string): Promise<FileStat | undefined> {
    const node = this.#find(path);
    if (node === undefined) return undefined;
    return {
      size: node.kind === 'file' ? node.data.length : 0,
      mtimeMs: 0,
      isFolder: node.kind === 'folder',
      isFile: node.kind === 'file',
    };
  }

  async isWritable(): Promise<boolean> {
    return true;
  }

  async freeBytes(): Promise<number> {
    return 1e12;
  }

  async syncFolder(path: string): Promise<void> {
    this.beforeChange();
    const folder = this.#folder(path);
    // A rename is on the disk when its new name is.
    const isHere = (change: EntryChange): boolean => change.at(-1)?.folder === folder;
    // In order: the last of several changes of one name is the one that stays.
    this.#unsynced.filter(isHere).forEach((change) => applyTo((at) => at.durable, change));
    this.#unsynced = this.#unsynced.filter((change) => !isHere(change));
  }

  #handle(file: FileNode): OpenFile {
    const sync = async (): Promise<void> => {
      this.beforeChange();
      file.synced = Buffer.from(file.data);
    };
    return {
      size: async () => file.data.length,
      read: async (into, position) => file.data.copy(into, 0, position),
      write: async (bytes, position) => {
        this.beforeChange();
        const data = Buffer.alloc(Math.max(file.data.length, position + bytes.length));
        file.data.copy(data);
        data.set(bytes, position);
        file.data = data;
        return bytes.length;
      },
      truncate: async (size) => {
        this.beforeChange();
        file.data = Buffer.from(file.data.subarray(0, size));
      },
      sync,
      close: async () => undefined,
    };
  }

  #change(change: EntryChange): void {
    applyTo((folder) => folder.entries, change);
    this.#unsynced.push(change);
  }

  #find(path: string): Node | undefined {
    return path
      .split('/')
      .filter(Boolean)
      .reduce<Node | undefined>(
        (node, name) => (node?.kind === 'folder' ? node.entries.get(name) : undefined),
        this.#root,
      );
  }

  #folder(path: string): FolderNode {
    const node = this.#find(path);
    if (node?.kind !== 'folder') throw failure('ENOENT', path);
    return node;
  }
}

const newFolder = (): FolderNode => ({ kind: 'folder', entries: new Map(), durable: new Map() });

function applyTo(entriesOf: (folder: FolderNode) => Map<string, Node>, change: EntryChange): void {
  for (const { folder, name, node } of change) {
    if (node === undefined) entriesOf(folder).delete(name);
    else entriesOf(folder).set(name, node);
  }
}

function survivingData({ data, synced }: FileNode, survival: Survival): Buffer {
  if (survival === 'synced') return synced;
  if (survival === 'even sectors' || survival === 'odd sectors') return everySecond(data, synced, survival);
  const common = Math.min(data.length, synced.length);
  const middle = Math.ceil((synced.length + data.length) / 2);
  if (survival === 'zeros') return Buffer.concat([synced.subarray(0, common)], data.length);
  if (survival === 'torn') {
    const written = firstDifference(data, synced);
    const end = Math.ceil((written + data.length) / 2);
    return Buffer.concat([data.subarray(0, end), synced.subarray(end)]);
  }
  return survival === 'half' && data.length > synced.length ? data.subarray(0, middle) : data;
}

function everySecond(data: Buffer, synced: Buffer, survival: 'even sectors' | 'odd sectors'): Buffer {
  const found = Buffer.concat([synced.subarray(0, data.length)], data.length);
  for (let at = survival === 'even sectors' ? 0 : sectorBytes; at < data.length; at += 2 * sectorBytes)
    data.copy(found, at, at, at + sectorBytes);
  return found;
}

function firstDifference(one: Buffer, other: Buffer): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}

const failure = (code: string, path: string): Error =>
  Object.assign(new Error(`${code}: '${path}'`), { code });
