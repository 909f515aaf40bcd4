// Access to a team server: each request carries an access token in a header, or the cookie of a browser that signed in
// with one. Scripts cannot read the cookie, and a page of another site can neither send it nor pass the guard.
import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { sleep } from '../../base/sleep.ts';
import type { ControlCaller } from '../../contract/index.ts';
import { accessTokenInvalid } from '../../domain/access-errors.ts';
import type { AccessToken } from '../../domain/access/access-token.ts';
import type { BrowserService } from '../../services/access/browser-service.ts';
import type { TokenService } from '../../services/access/token-service.ts';
import { controlTokenHeader } from './control-token.ts';
import { readCallInput, sessionReading } from './read-call-input.ts';

/** A wrong token or session is refused after this time, so that guessing takes long. */
export const refusalDelayMs = 500;
/** As long as a browser that is not used stays signed in. */
const cookieLifeMs = 30 * 86_400_000;

/** The caller, with the browser whose session it uses. */
export type TokenCaller = ControlCaller & { readonly browserId?: string };

type TokenAccessDeps = {
  readonly tokens: TokenService;
  readonly browsers: BrowserService;
  readonly clock: Clock;
  /** True if browsers reach the server by https alone: the cookie is then sent over nothing else. */
  readonly isHttps: boolean;
};

const signInInput = z.strictObject({ token: z.string().max(512) });

export class TokenAccess {
  readonly #deps: TokenAccessDeps;
  readonly #cookieName: string;

  constructor(deps: TokenAccessDeps) {
    this.#deps = deps;
    // The prefix makes browsers refuse a cookie of this name that another host of the domain, or a page without https, sets.
    this.#cookieName = deps.isHttps ? '__Host-rowbench' : 'rowbench';
  }

  /** The caller whose token or session the request carries; undefined for a request without. Throws `invalid_key`, after a while, for a wrong one. */
  async callerOf(request: IncomingMessage): Promise<TokenCaller | undefined> {
    const presented = request.headers[controlTokenHeader];
    if (typeof presented === 'string') return callerWith(await this.#verify(presented));
    const secret = this.#sessionSecret(request);
    return secret === undefined ? undefined : this.#callerOfSession(secret);
  }

  /** True while the caller's token is live and its browser is signed in. */
  isLive({ tokenId, browserId }: TokenCaller): boolean {
    const { tokens, browsers } = this.#deps;
    return (
      tokens.findLive(tokenId) !== undefined &&
      (browserId === undefined || browsers.list().some(({ id }) => id === browserId))
    );
  }

  /** Signs a browser in with the token of the body: the answer sets the cookie. Throws `invalid_key`, after a while. */
  async signIn(context: Context): Promise<TokenCaller> {
    const { browsers, clock } = this.#deps;
    const body = await readCallInput(context.req, { ...sessionReading, clock });
    const { data } = signInInput.safeParse(body);
    const token = await this.#verify(data?.token.trim() ?? '');
    const { browserId, secret } = await browsers.pair(context.req.headers['user-agent'], token.id);
    this.#setCookie(context, secret, Math.min(cookieLifeMs, this.#lifeOf(token)));
    return callerWith(token, browserId);
  }

  async signOut(context: Context, { browserId }: TokenCaller): Promise<void> {
    this.#setCookie(context, '', 0);
    if (browserId !== undefined) await this.#deps.browsers.revoke(browserId);
  }

  async #callerOfSession(secret: string): Promise<TokenCaller> {
    const browser = await this.#deps.browsers.browserOfSecret(secret);
    const token = browser?.tokenId === undefined ? undefined : await this.#deps.tokens.use(browser.tokenId);
    return callerWith(token ?? (await this.#refuse()), browser?.id);
  }

  async #verify(presented: string): Promise<AccessToken> {
    return (await this.#deps.tokens.verify(presented)) ?? this.#refuse();
  }

  async #refuse(): Promise<never> {
    await sleep(this.#deps.clock, refusalDelayMs);
    throw accessTokenInvalid();
  }

  #lifeOf({ expiresAt }: AccessToken): number {
    return expiresAt === null ? Infinity : Date.parse(expiresAt) - this.#deps.clock.now();
  }

  #sessionSecret(request: IncomingMessage): string | undefined {
    const prefix = `${this.#cookieName}=`;
    const cookies = (request.headers.cookie ?? '').split(';').map((each) => each.trim());
    return cookies.find((each) => each.startsWith(prefix))?.slice(prefix.length);
  }

  #setCookie(context: Context, value: string, lifeMs: number): void {
    const parts = [
      `${this.#cookieName}=${value}`,
      'Path=/',
      `Max-Age=${Math.floor(lifeMs / 1000)}`,
      'HttpOnly',
      'SameSite=Strict',
      ...(this.#deps.isHttps ? ['Secure'] : []),
    ];
    context.set('Set-Cookie', parts.join('; '));
  }
}

const callerWith = ({ id, name, role }: AccessToken, browserId?: string): TokenCaller => ({
  tokenId: id,
  name,
  role,
  ...(browserId === undefined ? {} : { browserId }),
});
