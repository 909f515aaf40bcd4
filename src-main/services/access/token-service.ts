// Access tokens of a team server: created here, shown once, stored as a hash. Who calls: the control API.
// INVARIANT: the token itself is never stored, logged or returned a second time.
import { v7 as uuid } from 'uuid';
import { isoTime, type Clock } from '../../base/clock.ts';
import { Emitter } from '../../base/emitter.ts';
import type { Log } from '../../base/log.ts';
import { expiryPast, tokenNotFound } from '../../domain/access-errors.ts';
import { isTokenLive, type AccessToken, type TokensFile } from '../../domain/access/access-token.ts';
import type { Role } from '../../domain/access/role.ts';
import type { Document } from '../ports.ts';
import { createSecret, findBySecret, hashSecret } from './secret-hash.ts';

type TokenServiceDeps = {
  readonly document: Document<TokensFile>;
  readonly clock: Clock;
  readonly log: Log;
};

type NewToken = {
  readonly name: string;
  readonly role: Role;
  /** ISO 8601; null: never. */
  readonly expiresAt: string | null;
  /** Name of the token that creates it. */
  readonly createdBy: string | null;
};

/** `secret` exists only in this answer. */
type CreatedAccessToken = { readonly token: AccessToken; readonly secret: string };

const firstTokenName = 'first admin';
/** Minimum time between two stored uses, so that a token in use costs no write per call. */
const useEveryMs = 60_000;

export class TokenService {
  /** A token was created or revoked: its id. */
  readonly events: Emitter<string>;
  readonly #deps: TokenServiceDeps;
  /** Wall time of the last use in this process, and of the last that was written, by the token's id. */
  readonly #uses = new Map<string, { lastAt: number; writtenAt: number }>();

  constructor(deps: TokenServiceDeps) {
    this.#deps = deps;
    this.events = new Emitter((error) => deps.log.error({ error }, 'a listener to access tokens failed'));
  }

  /** The live token that was presented, its use noted; undefined for anything else. */
  async verify(presented: string): Promise<AccessToken | undefined> {
    await this.#deps.document.latest();
    const token = findBySecret(this.#stored(), presented, ({ hash }) => hash);
    return token === undefined ? undefined : this.#useLive(token.id);
  }

  /** The live token with that id, its use noted, for a session that was opened with it. */
  async use(id: string): Promise<AccessToken | undefined> {
    await this.#deps.document.latest();
    return this.#useLive(id);
  }

  /** The live token with that id, as far as this process knows. */
  findLive(id: string): AccessToken | undefined {
    const now = this.#deps.clock.now();
    return this.#stored().find((token) => token.id === id && isTokenLive(token, now));
  }

  /** All tokens, oldest first, revoked and expired ones included. */
  async list(): Promise<readonly AccessToken[]> {
    await this.#deps.document.latest();
    return this.#stored().map((token) => this.#withUse(token));
  }

  /** Throws `invalid_input` for an expiry that is past. */
  async create(newToken: NewToken): Promise<CreatedAccessToken> {
    const { expiresAt } = newToken;
    if (expiresAt !== null && Date.parse(expiresAt) <= this.#deps.clock.now()) throw expiryPast();
    const created = this.#newToken(newToken);
    await this.#deps.document.update((file) => ({ ...file, tokens: [...file.tokens, created.token] }));
    this.events.emit(created.token.id);
    return created;
  }

  /** A token of an admin that does not expire, for a server where no admin can sign in; undefined if one can. */
  async createFirstToken(): Promise<CreatedAccessToken | undefined> {
    const created = this.#newToken({ name: firstTokenName, role: 'admin', expiresAt: null, createdBy: null });
    const now = this.#deps.clock.now();
    const { tokens } = await this.#deps.document.update((file) =>
      file.tokens.some((token) => token.role === 'admin' && isTokenLive(token, now))
        ? file
        : { ...file, tokens: [...file.tokens, created.token] },
    );
    if (!tokens.some(({ id }) => id === created.token.id)) return undefined;
    this.events.emit(created.token.id);
    return created;
  }

  /** Ends a token and its sessions; the next call with it is refused. Revoking twice changes nothing. Throws `token_not_found`. */
  async revoke(id: string): Promise<AccessToken> {
    const revokedAt = isoTime(this.#deps.clock);
    const { tokens } = await this.#deps.document.update((file) => {
      const token = file.tokens.find((each) => each.id === id);
      if (token === undefined) throw tokenNotFound(id);
      if (token.revokedAt !== null) return file;
      return {
        ...file,
        tokens: file.tokens.map((each) => (each === token ? { ...token, revokedAt } : each)),
      };
    });
    this.events.emit(id);
    const revoked = tokens.find((each) => each.id === id);
    if (revoked === undefined) throw tokenNotFound(id);
    return this.#withUse(revoked);
  }

  #useLive(id: string): AccessToken | undefined {
    const token = this.findLive(id);
    if (token !== undefined) this.#noteUse(token);
    return token;
  }

  #stored(): readonly AccessToken[] {
    return this.#deps.document.value.tokens;
  }

  #newToken(newToken: NewToken): CreatedAccessToken {
    const secret = createSecret('rbt_');
    const token: AccessToken = {
      id: uuid(),
      name: newToken.name,
      role: newToken.role,
      hash: hashSecret(secret),
      last4: secret.slice(-4),
      createdAt: isoTime(this.#deps.clock),
      createdBy: newToken.createdBy,
      expiresAt: newToken.expiresAt,
      lastUsedAt: null,
      revokedAt: null,
    };
    return { token, secret };
  }

  #withUse(token: AccessToken): AccessToken {
    const lastAt = this.#uses.get(token.id)?.lastAt;
    const stored = token.lastUsedAt === null ? 0 : Date.parse(token.lastUsedAt);
    return lastAt === undefined || lastAt <= stored
      ? token
      : { ...token, lastUsedAt: new Date(lastAt).toISOString() };
  }

  /** Not waited for: a use that is lost in a crash costs nothing. */
  #noteUse({ id, lastUsedAt }: AccessToken): void {
    const { clock, document, log } = this.#deps;
    const now = clock.now();
    const writtenAt = this.#uses.get(id)?.writtenAt ?? (lastUsedAt === null ? 0 : Date.parse(lastUsedAt));
    const isDue = now - writtenAt >= useEveryMs;
    this.#uses.set(id, { lastAt: now, writtenAt: isDue ? now : writtenAt });
    if (!isDue) return;
    document
      .update((file) => ({
        ...file,
        tokens: file.tokens.map((each) => (each.id === id ? this.#withUse(each) : each)),
      }))
      .catch((error: unknown) => log.warn({ error }, "an access token's use could not be written"));
  }
}
