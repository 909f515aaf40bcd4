// The secrets that calls send along. Who calls: the control API, which sets values but never reads one back, and the
// broker (`find`). INVARIANT: the store holds values only sealed, and only `find` returns a value.
import { isoTime, type Clock } from '../../base/clock.ts';
import { secretNotFound } from '../../domain/request-errors.ts';
import type { Secret, SecretsFile, StoredSecret } from '../../domain/secrets/secret.ts';
import type { Document } from '../ports.ts';

/** Encrypts texts, so that the store alone does not reveal them. A sealed text opens only with its own purpose. */
interface Vault {
  seal(value: string, purpose: string): Promise<string>;
  open(sealed: string, purpose: string): Promise<string>;
}

type SecretServiceDeps = {
  readonly document: Document<SecretsFile>;
  readonly vault: Vault;
  /** Secrets of this process alone, from its start; they go before stored ones of the same name, and are not stored. */
  readonly temporary: readonly Secret[];
  readonly clock: Clock;
};

export type SecretMetadata = {
  readonly name: string;
  readonly hosts: readonly string[];
  /** null for a secret of this process alone. */
  readonly createdAt: string | null;
};

export class SecretService {
  readonly #deps: SecretServiceDeps;

  constructor(deps: SecretServiceDeps) {
    this.#deps = deps;
  }

  /** By name. */
  list(): readonly SecretMetadata[] {
    const temporary = this.#deps.temporary.map(({ name, hosts }) => ({ name, hosts, createdAt: null }));
    const names = new Set(temporary.map(({ name }) => name));
    const stored = this.#stored.filter(({ name }) => !names.has(name)).map(metadataOf);
    return [...temporary, ...stored].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Stores a secret, in place of one of that name. Durable when it resolves. */
  async set({ name, value, hosts }: Secret): Promise<SecretMetadata> {
    const { vault, clock } = this.#deps;
    const secret = {
      name,
      hosts: [...new Set(hosts)],
      createdAt: isoTime(clock),
      sealed: await vault.seal(value, purposeOf(name, hosts)),
    };
    await this.#change((secrets) => [...secrets.filter((other) => other.name !== name), secret]);
    return metadataOf(secret);
  }

  /** Throws `secret_not_found`. */
  async remove(name: string): Promise<SecretMetadata> {
    const secret = this.#stored.find((candidate) => candidate.name === name);
    if (secret === undefined) throw secretNotFound(name);
    await this.#change((secrets) => secrets.filter((other) => other.name !== name));
    return metadataOf(secret);
  }

  /** Undefined for a name that stands for none. Throws `data_unreadable`. */
  async find(name: string): Promise<Secret | undefined> {
    const temporary = this.#deps.temporary.find((secret) => secret.name === name);
    if (temporary !== undefined) return temporary;
    const stored = this.#stored.find((secret) => secret.name === name);
    if (stored === undefined) return undefined;
    const { hosts, sealed } = stored;
    return { name, hosts, value: await this.#deps.vault.open(sealed, purposeOf(name, hosts)) };
  }

  get #stored(): readonly StoredSecret[] {
    return this.#deps.document.value.secrets;
  }

  async #change(change: (secrets: StoredSecret[]) => StoredSecret[]): Promise<void> {
    const { document } = this.#deps;
    await document.update((file) => ({ ...file, secrets: change(file.secrets) }));
    // Twice, since the previous generation is kept: a replaced or removed value must be gone from both.
    await document.update((file) => ({ ...file }));
  }
}

/** The hosts are part of the purpose: if a user edits them in the file, the secret no longer opens. */
const purposeOf = (name: string, hosts: readonly string[]): string =>
  JSON.stringify([name, ...new Set(hosts)]);

const metadataOf = ({ name, hosts, createdAt }: StoredSecret): SecretMetadata => ({ name, hosts, createdAt });
