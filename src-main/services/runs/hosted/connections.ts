// Connections to hosted services. Who calls: the control API, and the broker of hosted calls for their keys.
// INVARIANT: a key is stored sealed, for its connection, origin and header alone; only `secretOf` returns it.
import { isoTime, type Clock } from '../../../base/clock.ts';
import { connectionTaken, connectionUnknown, hostedNotForTeams } from '../../../domain/hosted-errors.ts';
import { type HostedFile, type StoredConnection } from '../../../domain/hosted/hosted-connection.ts';
import { bindingsThatAllow } from '../../../domain/secrets/host-binding.ts';
import type { Secret } from '../../../domain/secrets/secret.ts';
import type { Document } from '../../ports.ts';
import { hostedOrigin } from './hosted-origin.ts';

type HostedConnectionsDeps = {
  readonly document: Document<HostedFile>;
  readonly vault: {
    seal(value: string, purpose: string): Promise<string>;
    open(sealed: string, purpose: string): Promise<string>;
  };
  /** True on a team server, which has none. */
  readonly isTeam: boolean;
  readonly clock: Clock;
};

/** A connection as a user describes it. */
export type NewConnection = Omit<StoredConnection, 'origin' | 'sealed' | 'createdAt'> & {
  readonly url: string;
  readonly key: string;
};

export class HostedConnections {
  readonly #deps: HostedConnectionsDeps;

  constructor(deps: HostedConnectionsDeps) {
    this.#deps = deps;
  }

  /** By name. */
  list(): readonly StoredConnection[] {
    return [...this.#deps.document.value.connections].sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  /** Throws `invalid_input` for an unknown name. */
  get(name: string): StoredConnection {
    if (this.#deps.isTeam) throw hostedNotForTeams();
    const found = this.find(name);
    if (found !== undefined) return found;
    throw connectionUnknown(
      name,
      this.list().map((other) => other.name),
    );
  }

  find(name: string): StoredConnection | undefined {
    return this.#deps.document.value.connections.find((connection) => connection.name === name);
  }

  /** Durable when it resolves. Throws `invalid_input` for a taken name, and for a URL that is no origin. */
  async add({ url, key, ...described }: NewConnection): Promise<StoredConnection> {
    const { document, vault, clock, isTeam } = this.#deps;
    if (isTeam) throw hostedNotForTeams();
    const origin = hostedOrigin(url);
    const purpose = purposeOf({ ...described, origin });
    const connection = {
      ...described,
      origin,
      sealed: await vault.seal(key, purpose),
      createdAt: isoTime(clock),
    };
    await document.update((file) => {
      if (file.connections.some(({ name }) => name === connection.name))
        throw connectionTaken(connection.name);
      return { ...file, connections: [...file.connections, connection] };
    });
    return connection;
  }

  /** Throws `invalid_input`. */
  async remove(name: string): Promise<StoredConnection> {
    const connection = this.get(name);
    const { document } = this.#deps;
    await document.update((file) => ({
      ...file,
      connections: file.connections.filter((other) => other.name !== name),
    }));
    // Twice, since the previous generation is kept, too: the key must be gone from both.
    await document.update((file) => ({ ...file }));
    return connection;
  }

  /** The key of a connection as the secret that calls send. Throws `data_unreadable`. */
  async secretOf(name: string): Promise<Secret | undefined> {
    const connection = this.find(name);
    if (connection === undefined) return undefined;
    const value = await this.#deps.vault.open(connection.sealed, purposeOf(connection));
    return { name, value, hosts: bindingsThatAllow(new URL(connection.origin)) };
  }
}

const purposeOf = ({ name, origin, header }: Pick<StoredConnection, 'name' | 'origin' | 'header'>): string =>
  JSON.stringify(['hosted', name, origin, header]);
