// API keys: made here, shown once, kept as a hash. Who calls: the public API (verify) and the control API (the rest).
// INVARIANT: the key itself is never stored, logged or returned a second time.
import { v7 as uuid } from 'uuid';
import { isoTime, type CancelTimer, type Clock } from '../../base/clock.ts';
import { Emitter } from '../../base/emitter.ts';
import type { Log } from '../../base/log.ts';
import { Mutex } from '../../base/mutex.ts';
import { invalidKey, keyNotFound } from '../../domain/request-errors.ts';
import type { ApiKey, KeysFile } from '../../domain/keys/api-key.ts';
import { fixedKeyId } from '../../domain/keys/fixed-key.ts';
import type { Document } from '../ports.ts';
import { createSecret, findBySecret, hashSecret } from './secret-hash.ts';

type KeyServiceDeps = {
  readonly document: Document<KeysFile>;
  readonly clock: Clock;
  readonly log: Log;
  /** A key given from outside (CI); it opens everything and is not stored. */
  readonly fixedKey?: string | undefined;
};

/** Last use by the wall clock. It is formatted only when it is read, since every call is a use. */
type Use = { readonly calls: number; readonly lastAt: number };

/** How long a key's last use may be lost in a crash. Writing it on every call would cost an fsync a call. */
const flushEveryMs = 60_000;

export class KeyService {
  /** A key was made, used or revoked: its id. */
  readonly events: Emitter<string>;
  readonly #deps: KeyServiceDeps;
  readonly #fixed: ApiKey | undefined;
  /** Calls that are not in the document, by the key's id. They are added to it, since other servers count there, too. */
  readonly #uses = new Map<string, Use>();
  readonly #flushes = new Mutex();
  #cancelFlush: CancelTimer | undefined;

  constructor(deps: KeyServiceDeps) {
    this.#deps = deps;
    this.events = new Emitter((error) => deps.log.error({ error }, 'a listener to keys failed'));
    this.#fixed = deps.fixedKey === undefined ? undefined : fixedKeyRecord(deps.fixedKey, deps.clock);
  }

  /** The key that was presented, its use noted. Throws `invalid_key` for anything but a live key. */
  async verify(presented: string | undefined): Promise<ApiKey> {
    const key = await this.recognise(presented);
    if (key === undefined || key.revokedAt !== null) throw invalidKey();
    this.#noteUse(key);
    return key;
  }

  /** The key that was presented, revoked ones included; no use is noted. Undefined for one that is none of ours. */
  async recognise(presented: string | undefined): Promise<ApiKey | undefined> {
    if (presented === undefined) return undefined;
    await this.#deps.document.latest();
    return findBySecret(this.#all(), presented, ({ hash }) => hash);
  }

  /** The key with that id, its use noted, for a call in its name. Throws `invalid_key` unless it is live. */
  async use(id: string): Promise<ApiKey> {
    await this.#deps.document.latest();
    const key = this.#all().find((candidate) => candidate.id === id);
    if (key === undefined || key.revokedAt !== null) throw invalidKey();
    this.#noteUse(key);
    return key;
  }

  /** The key with that id, with uses up to this moment. Throws `key_not_found`. */
  show(id: string): ApiKey {
    const key = this.#all().find((candidate) => candidate.id === id);
    if (key === undefined) throw keyNotFound(id);
    return this.#withUse(key);
  }

  /** All stored keys, revoked ones included, oldest first, with uses up to this moment. */
  list(): readonly ApiKey[] {
    return this.#all().map((key) => this.#withUse(key));
  }

  /** Makes a key for the given workflows (null: all). `secret` exists only in this answer. */
  async create(request: {
    name: string;
    workflows: readonly string[] | null;
  }): Promise<{ key: ApiKey; secret: string }> {
    const secret = createSecret('rbk_');
    const key: ApiKey = {
      id: uuid(),
      name: request.name,
      hash: hashSecret(secret),
      last4: secret.slice(-4),
      workflows: request.workflows === null ? null : [...request.workflows],
      createdAt: isoTime(this.#deps.clock),
      lastUsedAt: null,
      calls: 0,
      revokedAt: null,
    };
    await this.#deps.document.update((file) => ({ ...file, keys: [...file.keys, key] }));
    this.events.emit(key.id);
    return { key, secret };
  }

  /** Ends a key; the next request with it is refused. Revoking twice changes nothing. Throws `key_not_found`. */
  async revoke(id: string): Promise<ApiKey> {
    const revokedAt = isoTime(this.#deps.clock);
    await this.#deps.document.update((file) => {
      const key = file.keys.find((candidate) => candidate.id === id);
      if (key === undefined) throw keyNotFound(id);
      if (key.revokedAt !== null) return file;
      return { ...file, keys: file.keys.map((each) => (each === key ? { ...key, revokedAt } : each)) };
    });
    this.events.emit(id);
    return this.show(id);
  }

  /** Writes the uses noted so far. */
  async close(): Promise<void> {
    this.#cancelFlush?.();
    await this.#flush();
  }

  #stored(): readonly ApiKey[] {
    return this.#deps.document.value.keys;
  }

  #all(): readonly ApiKey[] {
    return this.#fixed === undefined ? this.#stored() : [this.#fixed, ...this.#stored()];
  }

  #noteUse(key: ApiKey): void {
    const lastAt = this.#deps.clock.now();
    const use = this.#uses.get(key.id);
    this.#uses.set(key.id, { calls: (use?.calls ?? 0) + 1, lastAt });
    this.events.emit(key.id);
    this.#cancelFlush ??= this.#deps.clock.setTimer(flushEveryMs, () => {
      this.#cancelFlush = undefined;
      this.#flush().catch((error: unknown) =>
        this.#deps.log.warn({ error }, 'uses of keys could not be written'),
      );
    });
  }

  #withUse(key: ApiKey): ApiKey {
    const use = this.#uses.get(key.id);
    return use === undefined ? key : withUse(key, use);
  }

  #flush(): Promise<void> {
    return this.#flushes.run(() => this.#writeUses());
  }

  async #writeUses(): Promise<void> {
    const uses = this.#stored().flatMap(({ id }) => {
      const use = this.#uses.get(id);
      return use === undefined ? [] : ([[id, use]] as const);
    });
    if (uses.length === 0) return;
    const byId = new Map(uses);
    await this.#deps.document.update((file) => ({
      ...file,
      keys: file.keys.map((key) => {
        const use = byId.get(key.id);
        return use === undefined ? key : withUse(key, use);
      }),
    }));
    for (const [id, { calls }] of uses) this.#forget(id, calls);
  }

  /** Forgets calls that are in the document. */
  #forget(id: string, written: number): void {
    const use = this.#uses.get(id);
    if (use === undefined) return;
    if (use.calls > written) this.#uses.set(id, { ...use, calls: use.calls - written });
    else this.#uses.delete(id);
  }
}

/** The key with further calls counted. Another server may have seen it later. */
const withUse = (key: ApiKey, { calls, lastAt }: Use): ApiKey => {
  const lastUsedAt = new Date(lastAt).toISOString();
  const isLater = key.lastUsedAt === null || key.lastUsedAt < lastUsedAt;
  return { ...key, calls: key.calls + calls, lastUsedAt: isLater ? lastUsedAt : key.lastUsedAt };
};

const fixedKeyRecord = (secret: string, clock: Clock): ApiKey => ({
  id: fixedKeyId,
  name: 'ROWBENCH_API_KEY',
  hash: hashSecret(secret),
  last4: secret.slice(-4),
  workflows: null,
  createdAt: isoTime(clock),
  lastUsedAt: null,
  calls: 0,
  revokedAt: null,
});
