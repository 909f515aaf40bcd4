// The last saved texts of each workflow, each in a file of its own: `history/<workflow>/<time>_<by>_<hash>.txt`. What the app
// or another program has overwritten can be found here.
import { join } from 'node:path';
import { isoTime } from '../../base/clock.ts';
import { KeyedMutex } from '../../base/mutex.ts';
import type { SavedText } from '../../domain/authoring/create/saved-text.ts';
import { hasCode } from '../../files/file-system.ts';
import { orUnreadable, readWhole } from '../../files/read-bytes.ts';
import { textHash } from '../../files/text-file.ts';
import { idStem } from './draft-store.ts';
import type { StoreDeps } from '../durable/store-deps.ts';

const entryName = /^(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d\.\d{3}Z)_(app|outside)_([0-9a-f]{12})\.txt$/;
/** Texts of one workflow; the oldest is removed for another one. */
const maxSavedTexts = 50;
/** Longer texts are not kept, in characters: no person has written them. */
const maxLength = 2_000_000;

export class TextHistory {
  readonly #deps: StoreDeps;
  readonly #folder: string;

  readonly #mutex = new KeyedMutex<string>();

  constructor(deps: StoreDeps, folder: string) {
    this.#deps = deps;
    this.#folder = folder;
  }

  /** The newest first. */
  async list(workflowId: string): Promise<readonly SavedText[]> {
    const names = await this.#names(workflowId);
    return names.map(parseName).filter((entry) => entry !== undefined);
  }

  /** Undefined if there is no such text any more. */
  async read(workflowId: string, id: string): Promise<string | undefined> {
    if (!(await this.#names(workflowId)).includes(id)) return undefined;
    const bytes = await orUnreadable(id, () =>
      readWhole(this.#deps.fileSystem, join(this.#of(workflowId), id)),
    );
    return bytes?.toString('utf8');
  }

  /** The text with that SHA-256; undefined if it is not kept any more. */
  async find(workflowId: string, hash: string): Promise<string | undefined> {
    const name = (await this.#names(workflowId)).find((known) => known.includes(`_${hash.slice(0, 12)}.`));
    const text = name === undefined ? undefined : await this.read(workflowId, name);
    return text !== undefined && textHash(text) === hash ? text : undefined;
  }

  /** Adds a text unless it is the newest one already; durable when it resolves. Throws `disk_full`, `store_degraded`. */
  add(workflowId: string, text: string, by: SavedText['by']): Promise<void> {
    return this.#mutex.run(workflowId, () => this.#add(workflowId, text, by));
  }

  /** Adds a text of another program and the one that it replaced, unless the new one is the newest already. */
  addFromOutside(workflowId: string, { before, after }: { before: string; after: string }): Promise<void> {
    return this.#mutex.run(workflowId, async () => {
      const [newest] = await this.#names(workflowId);
      if (newest?.includes(hashPart(after)) === true) return;
      await this.#add(workflowId, before, 'outside');
      await this.#add(workflowId, after, 'outside');
    });
  }

  async #add(workflowId: string, text: string, by: SavedText['by']): Promise<void> {
    if (text.length > maxLength) return;
    const { files, fileSystem, clock, health } = this.#deps;
    const names = await this.#names(workflowId);
    if (names[0]?.includes(hashPart(text)) === true) return;
    const folder = this.#of(workflowId);
    const name = `${isoTime(clock).replaceAll(':', '-')}_${by}${hashPart(text)}txt`;
    await health.attempt(async () => {
      await files.makeFolder(folder);
      await files.create(join(folder, name), Buffer.from(text)).catch((error: unknown) => {
        if (!hasCode(error, 'EEXIST')) throw error;
      });
      for (const old of names.slice(maxSavedTexts - 1)) await fileSystem.remove(join(folder, old));
      await fileSystem.syncFolder(folder);
    });
  }

  #of = (workflowId: string): string => join(this.#folder, idStem(workflowId));

  /** Names of the workflow's texts, the newest first. */
  async #names(workflowId: string): Promise<readonly string[]> {
    try {
      const names = await this.#deps.fileSystem.list(this.#of(workflowId));
      return names
        .filter((name) => entryName.test(name))
        .sort()
        .reverse();
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return [];
      throw error;
    }
  }
}

/** The part of an entry's name that tells its text. */
const hashPart = (text: string): string => `_${textHash(text).slice(0, 12)}.`;

function parseName(name: string): SavedText | undefined {
  const match = entryName.exec(name);
  if (match === null) return undefined;
  const [, hours, minutes, seconds, by] = match;
  return { id: name, at: `${hours}:${minutes}:${seconds}`, by: by === 'app' ? 'app' : 'outside' };
}
