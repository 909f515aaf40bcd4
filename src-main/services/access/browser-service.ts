// Browsers that may open the app: paired by a link, then recognised by their secret. Who calls: the control API.
// INVARIANT: a secret is never stored, logged or returned a second time; a token lives in memory, for one start.
import { randomBytes } from 'node:crypto';
import { v7 as uuid } from 'uuid';
import { isoTime, type Clock } from '../../base/clock.ts';
import { Emitter } from '../../base/emitter.ts';
import type { Log } from '../../base/log.ts';
import { browserNotFound, browserNotPaired } from '../../domain/request-errors.ts';
import {
  browserName,
  isExpired,
  type BrowsersFile,
  type PairedBrowser,
} from '../../domain/paired-browser.ts';
import type { Document } from '../ports.ts';
import { createSecret, findBySecret, hashSecret, isSameSecret } from './secret-hash.ts';

type BrowserServiceDeps = {
  readonly document: Document<BrowsersFile>;
  readonly clock: Clock;
  readonly log: Log;
};

/** One browser's access to one start of the server. */
export type BrowserSession = { readonly browserId: string; readonly token: string };

/** With one more of the same token, or of none, the browser that was not used for longest has to be paired again. */
export const maxBrowsers = 32;
/** Minimum time between two stored uses, so that a page in use costs no write per call. */
const useEveryMs = 3_600_000;

export class BrowserService {
  /** A browser was paired, or its access ended: its id. */
  readonly events: Emitter<string>;
  readonly #deps: BrowserServiceDeps;
  /** Tokens of this start, by the browser's id. */
  readonly #tokens = new Map<string, string>();
  /** Wall time of the last use that was noted, by the browser's id. */
  readonly #lastUses = new Map<string, number>();
  /** Browsers that could not be written down: they are let in until the server ends. */
  #unwritten: readonly PairedBrowser[] = [];

  constructor(deps: BrowserServiceDeps) {
    this.#deps = deps;
    this.events = new Emitter((error) => deps.log.error({ error }, 'a listener to browsers failed'));
  }

  /** Random name of the data folder. It tells a page which of its secrets to send. */
  get folderId(): string {
    return this.#deps.document.value.folderId;
  }

  /** Browsers that are let in, the last used first. */
  list(): readonly PairedBrowser[] {
    const now = this.#deps.clock.now();
    return [...this.#deps.document.value.browsers, ...this.#unwritten]
      .filter((browser) => !isExpired(browser, now))
      .sort((a, b) => b.lastUsedAt.localeCompare(a.lastUsedAt));
  }

  /**
   * Pairs a browser. `secret` exists only in this answer. A store that cannot be written does not lock the user out: the
   * pairing then ends with this process.
   * @param tokenId the access token that the browser signed in with
   */
  async pair(
    userAgent: string | undefined,
    tokenId?: string,
  ): Promise<BrowserSession & { readonly secret: string }> {
    const secret = createSecret();
    const now = isoTime(this.#deps.clock);
    const browser: PairedBrowser = {
      id: uuid(),
      name: browserName(userAgent),
      secretHash: hashSecret(secret),
      pairedAt: now,
      lastUsedAt: now,
      ...(tokenId === undefined ? {} : { tokenId }),
    };
    try {
      await this.#deps.document.update((file) => ({ ...file, browsers: this.#with(browser, file.browsers) }));
    } catch (error) {
      this.#deps.log.warn(
        { error },
        'a paired browser could not be stored: after a restart it needs a new link',
      );
      this.#unwritten = [browser, ...this.#unwritten].slice(0, maxBrowsers);
    }
    this.events.emit(browser.id);
    return { ...this.#session(browser), secret };
  }

  /** The session of a browser that was paired before. Throws `invalid_key` for a secret that is not known any more. */
  open(secret: string): BrowserSession {
    const browser = this.#findBySecret(secret);
    // The session of an access token has that token's role alone.
    if (browser === undefined || browser.tokenId !== undefined) throw browserNotPaired();
    return this.#session(browser);
  }

  /** The browser whose secret was presented, its use noted; undefined if there is none. Other servers may have paired it. */
  async browserOfSecret(secret: string): Promise<PairedBrowser | undefined> {
    await this.#deps.document.latest();
    return this.#findBySecret(secret);
  }

  #findBySecret(secret: string): PairedBrowser | undefined {
    const browser = findBySecret(this.list(), secret, ({ secretHash }) => secretHash);
    if (browser !== undefined) this.#noteUse(browser);
    return browser;
  }

  /** The browser whose token was presented; undefined if there is none. Takes the same time whatever was presented. */
  browserOf(token: string): PairedBrowser | undefined {
    // Each is compared: how far a comparison came must not tell anything.
    const [browser] = this.list().filter(({ id }) => {
      const own = this.#tokens.get(id);
      return own !== undefined && isSameSecret(token, own);
    });
    if (browser !== undefined) this.#noteUse(browser);
    return browser;
  }

  /** Forgets the browsers that signed in with the token. */
  async revokeOfToken(tokenId: string): Promise<void> {
    const ended = this.list().filter((browser) => browser.tokenId === tokenId);
    if (ended.length === 0) return;
    await this.#deps.document.update((file) => ({
      ...file,
      browsers: file.browsers.filter((browser) => browser.tokenId !== tokenId),
    }));
    for (const { id } of ended) this.events.emit(id);
  }

  /** Ends a browser's access at once: its next call is refused. Throws `browser_not_found`. */
  async revoke(id: string): Promise<void> {
    if (!this.list().some((browser) => browser.id === id)) throw browserNotFound();
    await this.#deps.document.update((file) =>
      file.browsers.some((browser) => browser.id === id)
        ? { ...file, browsers: file.browsers.filter((browser) => browser.id !== id) }
        : file,
    );
    this.#unwritten = this.#unwritten.filter((browser) => browser.id !== id);
    this.#tokens.delete(id);
    this.events.emit(id);
  }

  /** All browsers that are let in once that one is, the last used first. */
  #with(browser: PairedBrowser, stored: readonly PairedBrowser[]): PairedBrowser[] {
    const now = this.#deps.clock.now();
    const isAlike = ({ tokenId }: PairedBrowser): boolean => tokenId === browser.tokenId;
    const current = stored.filter((each) => !isExpired(each, now));
    const alike = current
      .filter(isAlike)
      .sort((a, b) => b.lastUsedAt.localeCompare(a.lastUsedAt))
      .slice(0, maxBrowsers - 1);
    return [browser, ...alike, ...current.filter((each) => !isAlike(each))];
  }

  #session({ id }: PairedBrowser): BrowserSession {
    let token = this.#tokens.get(id);
    if (token === undefined) {
      token = randomBytes(32).toString('hex');
      this.#tokens.set(id, token);
    }
    return { browserId: id, token };
  }

  /** Not waited for: a use that is lost in a crash costs nothing. */
  #noteUse(browser: PairedBrowser): void {
    const { clock, document, log } = this.#deps;
    const lastUse = this.#lastUses.get(browser.id) ?? Date.parse(browser.lastUsedAt);
    if (clock.now() - lastUse < useEveryMs) return;
    this.#lastUses.set(browser.id, clock.now());
    const lastUsedAt = isoTime(clock);
    document
      .update((file) => ({
        ...file,
        browsers: file.browsers.map((each) => (each.id === browser.id ? { ...each, lastUsedAt } : each)),
      }))
      .catch((error: unknown) => log.warn({ error }, "a browser's use could not be written"));
  }
}
