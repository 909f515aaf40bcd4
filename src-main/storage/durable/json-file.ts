// lowdb's adapter for one small document: writes durably and validates all reads. lowdb's own file adapters never sync, and
// truncate the file when the disk is full. Who calls: JsonDocument.
// INVARIANT: a document that cannot be read is never silently replaced by an empty one.
import type { Adapter } from 'lowdb';
import { crc32 } from 'node:zlib';
import type { z } from 'zod';
import { isoTime, type Clock } from '../../base/clock.ts';
import { dataUnreadable } from '../../domain/store-errors.ts';
import { wording } from '../../domain/nodes/wording.ts';
import { previousOf } from './durable-files.ts';
import { orUnreadable, readWhole } from '../../files/read-bytes.ts';
import type { StoreDeps } from './store-deps.ts';

export type JsonFileOptions<T> = {
  readonly path: string;
  /** The path relative to the data folder, for messages to the user. */
  readonly label: string;
  readonly schema: z.ZodType<T>;
  /** Set if the user may edit the file: it is then used, and reported, even if its checksum does not match. */
  readonly isEditable?: true;
};

/** The newest `version` that this program writes and reads. */
const knownVersion = 1;

type Reading<T> =
  | { readonly kind: 'good'; readonly value: T }
  | { readonly kind: 'absent' }
  | { readonly kind: 'bad'; readonly problem: string; readonly cause: unknown };

export class JsonFile<T extends object> implements Adapter<T> {
  readonly #deps: StoreDeps;
  readonly #options: JsonFileOptions<T>;

  constructor(deps: StoreDeps, options: JsonFileOptions<T>) {
    this.#deps = deps;
    this.#options = options;
  }

  /**
   * Reads the document. If it is damaged, it reads the previous version and reports the damage; a process that has the folder
   * also renames the damaged file. Null if neither was ever written. Throws `data_unreadable`.
   */
  async read(): Promise<T | null> {
    const { path, label } = this.#options;
    const current = await this.#readFrom(path);
    if (current.kind === 'good') return current.value;
    const previous = await this.#readFrom(previousOf(path));
    if (previous.kind === 'good') {
      if (current.kind === 'bad') await this.#setAside(current.problem);
      return previous.value;
    }
    const bad = current.kind === 'bad' ? current : previous;
    if (bad.kind === 'bad') throw dataUnreadable(`${label}: ${bad.problem}`, bad.cause);
    return null;
  }

  /** Durable when it resolves. Throws `disk_full`, `out_of_resources`, `store_degraded`. */
  async write(value: T): Promise<void> {
    const { path, schema } = this.#options;
    const bytes = sealedJson(schema.parse(value));
    const { files, health } = this.#deps;
    await health.attempt(() => files.replace(path, bytes, { keepPrevious: true }));
  }

  async #readFrom(path: string): Promise<Reading<T>> {
    const { label, schema, isEditable } = this.#options;
    const bytes = await orUnreadable(label, () => readWhole(this.#deps.fileSystem, path));
    if (bytes === undefined) return { kind: 'absent' };
    const { found, seal } = parseSealed(bytes);
    const version = versionOf(found);
    // In a damaged document, the version itself may be damaged.
    if (version > knownVersion && seal !== 'broken') {
      throw dataUnreadable(
        `${label} was written by a newer Rowbench (version ${version}, this one knows ${knownVersion})`,
      );
    }
    const parsed = schema.safeParse(found, { error: wording });
    if (!parsed.success) {
      const problem = problemOf(found, parsed.error, isEditable === true);
      return { kind: 'bad', problem, cause: parsed.error };
    }
    if (seal !== 'broken') return { kind: 'good', value: parsed.data };
    if (!isEditable) return { kind: 'bad', problem: 'its checksum does not fit', cause: undefined };
    this.#deps.report(`${label} was changed outside Rowbench. The changed file is used.`);
    return { kind: 'good', value: parsed.data };
  }

  async #setAside(problem: string): Promise<void> {
    const { path, label } = this.#options;
    const { clock, files, report, isReadOnly } = this.#deps;
    if (isReadOnly) return report(`${label}: ${problem}. The version before it is used.`);
    const suffix = corruptSuffix(clock);
    await files.rename(path, path + suffix);
    report(`${label}: ${problem}. It was kept as ${label}${suffix}, and the version before it is used.`);
  }
}

/** JSON for people to read, with one line per field for a diff. */
export const jsonBytes = (value: unknown): Uint8Array => Buffer.from(`${JSON.stringify(value, null, 2)}\n`);

/** Suffix for the name of a damaged file. It has no colons, which some systems do not allow. */
export const corruptSuffix = (clock: Clock): string => `.corrupt-${isoTime(clock).replaceAll(':', '-')}`;

/** The first problem, with its path. For a document that the user may edit, the text does not call it damage. */
function problemOf(found: unknown, { issues: [issue] }: z.ZodError, isEditable: boolean): string {
  if (found === undefined || issue === undefined) return isEditable ? 'it is not JSON' : 'it is damaged';
  const [message = issue.message] = issue.message.split('\n');
  const problem = issue.path.length === 0 ? message : `${issue.path.join('.')}: ${message}`;
  return isEditable ? problem : `it is damaged (${problem})`;
}

const versionOf = (found: unknown): number =>
  typeof found === 'object' && found !== null && 'version' in found && typeof found.version === 'number'
    ? found.version
    : 0;

type SealedValue = { readonly found: unknown; readonly seal: SealedText['seal'] };

/** Parses a document. The value is undefined, which no schema accepts, if the bytes are not JSON. */
function parseSealed(bytes: Uint8Array): SealedValue {
  try {
    const { text, seal } = openSeal(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    const found: unknown = JSON.parse(text);
    // A field behind the checksum means that the user has changed the document by hand.
    if (seal !== 'none' || typeof found !== 'object' || found === null || !('checksum' in found)) {
      return { found, seal };
    }
    const rest = Object.entries(found).filter(([name]) => name !== 'checksum');
    return { found: Object.fromEntries(rest), seal: 'broken' };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return { found: undefined, seal: 'none' };
    throw error;
  }
}

// The text of a small document, with a checksum as its last field, which detects a changed byte even in valid JSON. A
// document without a checksum was written by hand or by one of the first versions of Rowbench.

/** JSON for people to read, with one line per field for a diff. */
export function sealedJson(value: object): Uint8Array {
  const text = JSON.stringify(value, null, 2);
  // The object has at least one field, so its closing brace is on a line of its own.
  const body = text.slice(0, text.lastIndexOf('\n'));
  return Buffer.from(`${body},\n  "checksum": "${hex(crc32(body))}"\n}\n`);
}

type SealedText = {
  /** Text without the checksum. */
  readonly text: string;
  readonly seal: 'none' | 'whole' | 'broken';
};

const sealPattern = /,\s*"checksum":\s*"([0-9a-f]{8})"\s*\}\s*$/;

/** Splits the text from its checksum and compares the two. */
export function openSeal(text: string): SealedText {
  const found = sealPattern.exec(text);
  if (found === null) return { text, seal: 'none' };
  const body = text.slice(0, found.index);
  return { text: `${body}\n}\n`, seal: hex(crc32(body)) === found[1] ? 'whole' : 'broken' };
}

const hex = (crc: number): string => crc.toString(16).padStart(8, '0');
