// Calls to services for what has no data folder of its own: tests that are recorded.
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { systemClock } from '../base/system-clock.ts';
import type { Secret } from '../domain/secrets/secret.ts';
import { defaultNetwork } from '../domain/trust/workflows-file.ts';
import type { AddressClass } from '../domain/upstream/address-class.ts';
import type { Workflow } from '../domain/workflow/workflow.ts';
import type { Upstream } from '../executor/ports.ts';
import { Broker } from '../executor/upstream/broker.ts';
import { SecretService } from '../services/secret-service.ts';
import { openStoredSecrets } from '../storage/open-stored-secrets.ts';
import { version } from './version.ts';

export type LiveCallsOptions = {
  /** The user's data folder, for its secrets. */
  readonly secretsFrom: string;
  readonly givenSecrets: readonly Secret[];
  /** Beside public addresses. */
  readonly allowNetwork?: readonly AddressClass[] | undefined;
  readonly clock: Clock;
  readonly log: Log;
};

export type LiveCalls = {
  readonly upstreamOf: (workflow: Workflow) => Promise<Upstream>;
  close(): Promise<void>;
};

/** Throws `data_unreadable`. */
export async function openLiveCalls(options: LiveCallsOptions): Promise<LiveCalls> {
  const { secretsFrom, givenSecrets: given, allowNetwork = [], clock, log } = options;
  const stored = await openStoredSecrets(secretsFrom, { clock, log });
  const broker = new Broker({
    secrets: new SecretService({ ...stored, given, clock }),
    ownPorts: () => [],
    userAgent: `Rowbench/${version}`,
    clock: systemClock,
    log,
  });
  const classes = [...defaultNetwork, ...allowNetwork];
  return {
    upstreamOf: async ({ id }) => broker.upstream({ classes, lacks: () => id }),
    close: () => broker.close(),
  };
}
