// Calls to services for tests that are recorded, which have no data folder of their own.
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { systemClock } from '../../base/system-clock.ts';
import type { Secret } from '../../domain/secrets/secret.ts';
import { defaultNetwork } from '../../domain/trust/workflows-file.ts';
import type { AddressClass } from '../../domain/upstream/address-class.ts';
import type { Upstream } from '../../executor/ports.ts';
import { Broker } from '../../executor/upstream/broker.ts';
import { SecretService } from '../access/secret-service.ts';
import { openStoredSecrets } from '../../storage/documents/open-documents.ts';
import { grantOf, proxyWhen } from '../runs/upstreams.ts';
import { storedTrust } from '../workflows/named-file.ts';
import { version } from '../../base/version.ts';

export type LiveCallsOptions = {
  /** The user's data folder, for its secrets. */
  readonly secretsFrom: string;
  readonly extraSecrets: readonly Secret[];
  /** For the workflows that are tested, beside what they were granted where a data folder keeps them. */
  readonly allowNetwork?: readonly AddressClass[] | undefined;
  /** True if calls go through the proxy of the environment. */
  readonly usesProxy?: boolean | undefined;
  readonly clock: Clock;
  readonly log: Log;
};

/** A workflow in a file. */
export type CallingWorkflow = { readonly id: string; readonly file: string };

export type LiveCalls = {
  /** For a workflow that is tested, and those that it calls. Throws `data_unreadable`. */
  readonly upstreamOf: (tested: CallingWorkflow, called: readonly CallingWorkflow[]) => Promise<Upstream>;
  close(): Promise<void>;
};

/** Throws `data_unreadable`. */
export async function openLiveCalls(options: LiveCallsOptions): Promise<LiveCalls> {
  const { secretsFrom, extraSecrets, allowNetwork = [], usesProxy = false, clock, log } = options;
  const stored = await openStoredSecrets(secretsFrom, { clock, log });
  const broker = new Broker({
    secrets: new SecretService({ ...stored, temporary: extraSecrets, clock }),
    ownPorts: () => [],
    userAgent: `Rowbench/${version}`,
    clock: systemClock,
    log,
    proxyFor: proxyWhen(usesProxy),
  });
  const grantedTo = async ({ id, file }: CallingWorkflow, isTested: boolean) => {
    const trust = await storedTrust(file);
    const classes = trust?.trust.networkOf(id) ?? defaultNetwork;
    // Workflows called from a file outside any data folder lie beside that file, and count as named with it.
    const granted = isTested || trust === undefined ? [...classes, ...allowNetwork] : classes;
    return {
      id,
      classes: () => granted,
      isByFlagOnly: trust === undefined,
    };
  };
  return {
    upstreamOf: async (tested, called) =>
      broker.upstream(
        grantOf(
          await grantedTo(tested, true),
          await Promise.all(called.map((each) => grantedTo(each, false))),
        ),
      ),
    close: () => broker.close(),
  };
}
