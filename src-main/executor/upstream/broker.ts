// All calls to the outside, of all runs. Who calls: a run's execution, through the `Upstream` that it was given.
// INVARIANT: the broker connects only to addresses that the workflow was granted. A secret's value leaves it only in a
// request to a host that the secret is bound to.
import { lookup as resolve } from 'node:dns/promises';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { secretOf } from '../../domain/nodes/call-auth.ts';
import type { Secret } from '../../domain/secrets/secret.ts';
import { addressClasses, type AddressClass } from '../../domain/upstream/address-class.ts';
import { secretMissing } from '../../domain/upstream/call-needs.ts';
import type { CallContext, Upstream, UpstreamAnswer, UpstreamRequest } from '../ports.ts';
import { defaultBounds, type Bounds } from './bounds.ts';
import { ByteBudget } from './byte-budget.ts';
import { makeCall, nameOf, type RequestContext } from './call.ts';
import {
  AnswerTooLarge,
  BodyError,
  CallRefusal,
  TokenError,
  callErrorOf,
  isBeforeSending,
} from './call-error.ts';
import type { ConnectRules, Lookup } from './checked-connect.ts';
import { basicCredentials, secretCredentials, type Credentials } from './credentials.ts';
import { Decoding } from './decoding.ts';
import { describeRefusal, type NetworkGrant } from './describe-refusal.ts';
import { OAuthTokens } from './oauth-tokens.ts';
import { RateLimits, type HostReservations } from './rate-limits.ts';
import { signatureCredentials } from './request-signature.ts';
import { SecretMask, CallMask } from './secret-mask.ts';
import type { Transport } from './transport.ts';

/** Where the broker gets a secret for a call that names one. It keeps the value only for the duration of the call. */
interface SecretSource {
  /** Undefined for an unknown name. Rejects when secrets cannot be read. */
  find(name: string): Promise<Secret | undefined>;
}

export type BrokerOptions = {
  readonly secrets: SecretSource;
  /** Ports that Rowbench itself listens on. */
  readonly ownPorts: () => Iterable<number>;
  /** Further servers that belong to Rowbench, on any machine. No grant opens them. */
  readonly ownServers?: ConnectRules['ownServers'] | undefined;
  /** Shares the limits of calls with other processes; absent: they count in this one alone. */
  readonly reservations?: HostReservations | undefined;
  /** Default `User-Agent` header of calls: `Rowbench/1.2.3`. */
  readonly userAgent: string;
  /** Calls take real time, whatever clock a run's waits are on. */
  readonly clock: Clock;
  readonly log: Log;
  readonly lookup?: Lookup;
  /** The proxy for calls to an origin; undefined: none. */
  readonly proxyFor?: (origin: URL) => URL | undefined;
  readonly bounds?: Partial<Bounds>;
};

type CallOptions = {
  readonly grant: NetworkGrant;
  readonly mask: CallMask;
  /** Throws a `CallRefusal` for a call whose secret is missing. */
  readonly credentials: () => Promise<Credentials | undefined>;
  /** True if a failed answer says that nothing was sent. */
  readonly reportsUnsent?: boolean;
};

export class Broker {
  readonly #options: BrokerOptions;
  readonly #bounds: Bounds;
  readonly #budget: ByteBudget;
  readonly #decoding: Decoding;
  readonly #limits: RateLimits;
  readonly #tokens: OAuthTokens;
  /** The latest mask of each secret, by the name of the secret. */
  readonly #masks = new Map<string, SecretMask>();
  /** One for each set of classes: a connection must not serve a workflow that may not have it. */
  readonly #transports = new Map<string, Promise<Transport>>();

  constructor(options: BrokerOptions) {
    this.#options = options;
    this.#bounds = { ...defaultBounds, ...options.bounds };
    const { bytesAtOnce, bytesOfOneRun, stallMs } = this.#bounds;
    this.#budget = new ByteBudget(bytesAtOnce, { clock: options.clock, bytesOfOne: bytesOfOneRun, stallMs });
    this.#limits = new RateLimits(options);
    this.#tokens = new OAuthTokens(options.clock);
    this.#decoding = new Decoding(this.#bounds.bodyBytes);
  }

  /** The upstream of one run, which shares memory with other runs. */
  upstream(grant: NetworkGrant): Upstream {
    return { call: (request, context) => this.#call(request, context, grant) };
  }

  /** Makes a request of Rowbench itself, which is none of a row and has no idempotency key. */
  request(request: UpstreamRequest, signal: AbortSignal, grant: NetworkGrant): Promise<UpstreamAnswer> {
    const mask = new CallMask();
    const credentials = () => this.#credentialsFor(request, grant, mask);
    return this.#send(request, { signal }, { grant, mask, credentials, reportsUnsent: true });
  }

  /** Ends all connections; running calls fail. */
  async close(): Promise<void> {
    this.#limits.close();
    const transports = await Promise.all(this.#transports.values());
    this.#transports.clear();
    await Promise.all(transports.map((transport) => transport.close()));
  }

  async #call(request: UpstreamRequest, context: CallContext, grant: NetworkGrant): Promise<UpstreamAnswer> {
    context.signal.throwIfAborted();
    await this.#waitForRate(request, context);
    const mask = new CallMask();
    return this.#send(request, context, {
      grant,
      mask,
      credentials: () => this.#credentialsFor(request, grant, mask),
    });
  }

  async #waitForRate({ url, intervalMs }: UpstreamRequest, context: CallContext): Promise<void> {
    if (intervalMs === undefined || !URL.canParse(url)) return;
    await this.#limits.acquire(new URL(url).host, intervalMs, context);
    context.onBegin?.();
  }

  async #send(
    request: UpstreamRequest,
    context: RequestContext,
    { grant, mask, credentials: find, reportsUnsent = false }: CallOptions,
  ): Promise<UpstreamAnswer> {
    try {
      const credentials = await find();
      const transport = await this.#transport(networksOf(grant));
      const { clock, userAgent } = this.#options;
      const around = { transport, credentials, mask, bounds: this.#bounds, owner: grant };
      const parts = { ...around, clock, userAgent, budget: this.#budget, decoding: this.#decoding };
      return await makeCall(request, context, parts);
    } catch (error) {
      context.signal.throwIfAborted();
      const cause = error instanceof BodyError ? error.cause : error;
      const { message, ...refused } = describeRefusal(cause, grant) ?? { message: this.#messageOf(cause) };
      return {
        kind: 'failed',
        message: mask.text(`${nameOf(request)} ${message}`),
        ...refused,
        ...(error instanceof CallRefusal ? { isFinal: true } : {}),
        ...(reportsUnsent && isBeforeSending(error) ? { isNotSent: true } : {}),
        ...(reportsUnsent && cause instanceof AnswerTooLarge ? { isTooLarge: true } : {}),
        ...(error instanceof BodyError ? { status: error.status } : {}),
        ...(error instanceof TokenError ? { isToken: true, ...statusOf(error) } : {}),
      };
    }
  }

  async #credentialsFor(
    { auth }: UpstreamRequest,
    grant: NetworkGrant,
    mask: CallMask,
  ): Promise<Credentials | undefined> {
    if (auth === undefined) return undefined;
    const secret = await this.#findSecret(secretOf(auth));
    mask.hide(this.#maskOf(secret));
    if ('hmac' in auth) return signatureCredentials(auth.hmac, { secret, mask, clock: this.#options.clock });
    if ('basic' in auth) return basicCredentials(auth.basic, secret, mask);
    if (!('oauth2' in auth)) return secretCredentials(auth, secret);
    return this.#tokens.credentials({
      client: auth.oauth2,
      secret,
      mask,
      networks: networksOf(grant),
      send: (request, credentials) =>
        this.#sendTokenRequest(request, { grant, mask: this.#maskOf(secret), credentials }),
    });
  }

  /** The request outlives the call that makes it first: others wait for its token too. */
  #sendTokenRequest(
    request: UpstreamRequest,
    { grant, mask, credentials }: { grant: NetworkGrant; mask: SecretMask; credentials: Credentials },
  ): Promise<UpstreamAnswer> {
    const own = new CallMask();
    own.hide(mask);
    const { signal } = new AbortController();
    return this.#send(request, { signal }, { grant, mask: own, credentials: async () => credentials });
  }

  #maskOf(secret: Secret): SecretMask {
    const known = this.#masks.get(secret.name);
    if (known?.isOf(secret) === true) return known;
    const mask = new SecretMask(secret);
    this.#masks.set(secret.name, mask);
    return mask;
  }

  /** The message for a failed call. An unknown error fails the row, never the run. */
  #messageOf(error: unknown): string {
    const fault = callErrorOf(error);
    if (fault === undefined) this.#options.log.error({ error }, 'a call failed unexpectedly');
    return fault?.message ?? 'failed for an unknown reason; see the log';
  }

  async #findSecret(name: string): Promise<Secret> {
    const secret = await this.#options.secrets.find(name).catch((error: unknown) => {
      this.#options.log.error({ secret: name, error }, 'a secret could not be read');
      throw new CallRefusal(`is refused: the secret ${name} cannot be read; store it again`);
    });
    if (secret !== undefined) return secret;
    throw new CallRefusal(secretMissing(name));
  }

  #transport(networks: string): Promise<Transport> {
    const known = this.#transports.get(networks);
    if (known !== undefined) return known;
    const transport = this.#openTransport(
      new Set(addressClasses.filter((name) => networks.split(' ').includes(name))),
    );
    this.#transports.set(networks, transport);
    return transport;
  }

  async #openTransport(granted: ReadonlySet<AddressClass>): Promise<Transport> {
    const { Transport } = await import('./transport.ts');
    const { ownPorts, ownServers = () => [], lookup = systemLookup } = this.#options;
    const { proxyFor = () => undefined } = this.#options;
    const { connectMs } = this.#bounds;
    return new Transport({ granted, ownPorts, ownServers, lookup, connectMs, proxyFor }, this.#bounds);
  }
}

/** The granted classes as a text, each once, in a fixed order. */
const networksOf = ({ classes }: NetworkGrant): string =>
  addressClasses.filter((name) => classes.includes(name)).join(' ');

const statusOf = ({ status }: TokenError): { readonly status?: number } =>
  status === undefined ? {} : { status };

/** Resolves a name as every program on this machine does, with its hosts file. */
const systemLookup: Lookup = async (host) =>
  (await resolve(host, { all: true, verbatim: true })).map(({ address }) => address);
