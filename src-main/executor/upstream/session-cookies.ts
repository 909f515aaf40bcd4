// The cookies of one session: those that services have set in their answers to calls of one row. tough-cookie decides by
// RFC 6265 which of them a request gets. Loaded with the first call of a session.
// INVARIANT: a cookie leaves this process only in a request, and no file gets one.
import { CookieJar } from 'tough-cookie';

type ReceivedCookie = { readonly url: URL; readonly line: string };

/** Maximum cookies of a session, and characters of one: as many as browsers keep for a site. */
const maxCookies = 200;
const maxCookieLength = 4096;

/** Characters of an HTTP header value. */
const headerValue = /^[\u0020-\u007e\u0080-\u00ff]*$/;

export class SessionCookies {
  readonly #jar: CookieJar;
  /** The cookies that were added, for `addFrom`. Only copies have it, since they make one call. */
  readonly #added: ReceivedCookie[] | undefined;
  readonly #names = new Set<string>();

  constructor(jar = new CookieJar(), added?: ReceivedCookie[]) {
    this.#jar = jar;
    this.#added = added;
  }

  /** The value of the header `cookie` of a request to the URL; empty for none. */
  headerFor(url: URL): string {
    return this.#jar.getCookieStringSync(url.href);
  }

  /**
   * Adds, replaces or removes cookies. Those that the service must not set there are ignored.
   * @param lines values of the headers `set-cookie` of an answer from the URL
   */
  add(url: URL, lines: readonly string[]): void {
    for (const line of lines) {
      const name = `${url.host} ${line.slice(0, line.indexOf('='))}`;
      const isNew = !this.#names.has(name);
      if (
        line.length > maxCookieLength ||
        !headerValue.test(line) ||
        (isNew && this.#names.size >= maxCookies)
      )
        continue;
      this.#names.add(name);
      this.#jar.setCookieSync(line, url.href, { ignoreError: true });
      this.#added?.push({ url, line });
    }
  }

  /** The same cookies, for a call that several rows share. */
  copy(): SessionCookies {
    return new SessionCookies(this.#jar.cloneSync(), []);
  }

  /** Adds the cookies that the copy got since it was made. */
  addFrom(copy: SessionCookies): void {
    for (const { url, line } of copy.#added ?? []) this.add(url, [line]);
  }
}
