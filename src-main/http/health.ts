// `/healthz` and `/readyz`, for load balancers and orchestrators. They need no key and no name in Host: a probe calls an
// address. So their answers hold nothing but a state and plain reasons.
import type { Middleware } from 'koa';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { methodNotAllowed } from '../domain/request-errors.ts';
import type { ReadyCheck } from '../services/ports.ts';
import { answerJson } from './answer-text.ts';

export type ReadinessDeps = {
  readonly checks: readonly ReadyCheck[];
  readonly clock: Clock;
  readonly log: Log;
};

/** Checks are asked at most once in this time, however many probes come. */
const cacheMs = 1_000;
const checkTimeoutMs = 2_000;
/** A load balancer probes more often than this. */
const probeMs = 30_000;

export class Readiness {
  readonly #deps: ReadinessDeps;
  #latest: { readonly at: number; readonly reasons: Promise<readonly string[]> } | undefined;
  #probedAt = -Infinity;
  #isDraining = false;

  constructor(deps: ReadinessDeps) {
    this.#deps = deps;
  }

  /** True if something probes the server, and so learns that it is stopping. */
  get isProbed(): boolean {
    return this.#deps.clock.monotonic() - this.#probedAt < probeMs;
  }

  /** From now on the server is not ready, since it is about to stop. */
  drain(): void {
    this.#isDraining = true;
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** Figures of the last checks, by name. */
  get details(): Readonly<Record<string, Readonly<Record<string, number | boolean>>>> {
    return Object.fromEntries(
      this.#deps.checks.flatMap(({ name, details }) => {
        const seen = details?.();
        return seen === undefined ? [] : [[name, seen]];
      }),
    );
  }

  /** Why the server is not ready; empty if it is. */
  async reasons(): Promise<readonly string[]> {
    const now = this.#deps.clock.monotonic();
    this.#probedAt = now;
    if (this.#isDraining) return ['the server is stopping'];
    if (this.#latest === undefined || now - this.#latest.at >= cacheMs)
      this.#latest = { at: now, reasons: this.#runChecks() };
    return this.#latest.reasons;
  }

  async #runChecks(): Promise<readonly string[]> {
    const found = await Promise.all(this.#deps.checks.map((check) => this.#run(check)));
    return found.filter((reason) => reason !== undefined);
  }

  #run({ name, check }: ReadyCheck): Promise<string | undefined> {
    const { clock, log } = this.#deps;
    return new Promise((resolve) => {
      const late = `${name}: no answer within ${checkTimeoutMs / 1000} s`;
      const cancel = clock.setTimer(checkTimeoutMs, () => resolve(late));
      const end = (reason: string | undefined): void => {
        cancel();
        resolve(reason);
      };
      check().then(end, (error: unknown) => {
        log.warn({ check: name, error }, 'a check of readiness failed');
        end(`${name}: failed`);
      });
    });
  }
}

/** Answers both paths, and passes all others on. */
export function createHealthRoutes(readiness: Readiness): Middleware {
  return async (context, next) => {
    const { path, method } = context;
    if (path !== '/healthz' && path !== '/readyz') return void (await next());
    if (method !== 'GET' && method !== 'HEAD') throw methodNotAllowed('GET, HEAD');
    if (path === '/healthz') return answerJson(context, { status: 'ok' });
    const reasons = await readiness.reasons();
    const { isDraining: draining, details } = readiness;
    if (reasons.length === 0) answerJson(context, { status: 'ready', draining, ...details });
    else answerJson(context, { status: 'not ready', reasons, draining, ...details }, 503);
  };
}
