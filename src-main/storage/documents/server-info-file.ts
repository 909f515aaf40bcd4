// How another process of this machine's user (the command line) finds the server that holds the data folder.
import { join } from 'node:path';
import { z } from 'zod';
import { hasProcess } from '../durable/folder-lock.ts';
import { jsonBytes } from '../durable/json-file.ts';
import type { StoreDeps } from '../durable/store-deps.ts';
import { readWhole } from '../../files/read-bytes.ts';
import { nodeFileSystem } from '../../files/node-file-system.ts';

const serverInfoSchema = z.object({
  pid: z.number().int().positive(),
  url: z.url(),
  /** Opens the control API until this server ends. The file is readable for its owner alone. */
  controlToken: z.string(),
  startedAt: z.iso.datetime(),
});
export type ServerRecord = z.infer<typeof serverInfoSchema>;

const fileName = 'server.json';

export class ServerInfoFile {
  readonly #deps: StoreDeps;
  readonly #path: string;

  constructor(deps: StoreDeps, folder: string) {
    this.#deps = deps;
    this.#path = join(folder, fileName);
  }

  /** Throws `store_degraded`. */
  write(info: ServerRecord): Promise<void> {
    const { health, files } = this.#deps;
    return health.attempt(() => files.replace(this.#path, jsonBytes(info), { keepPrevious: false }));
  }

  /** One that cannot be removed is harmless: it names a process that has ended. */
  async remove(): Promise<void> {
    const { fileSystem, log } = this.#deps;
    await fileSystem
      .remove(this.#path)
      .catch((error: unknown) => log.warn({ error }, 'the server file could not be removed'));
  }
}

/**
 * The server that holds the data folder at `path`, read without touching its lock. Undefined when there is none: no
 * file, an unreadable one, or one whose process has ended.
 */
export async function readServerInfo(path: string): Promise<ServerRecord | undefined> {
  try {
    const bytes = await readWhole(nodeFileSystem, join(path, fileName));
    const info = serverInfoSchema.parse(JSON.parse(String(bytes)));
    return hasProcess(info.pid) ? info : undefined;
  } catch {
    // Whatever is wrong with it, there is no server to be reached through it.
    return undefined;
  }
}
