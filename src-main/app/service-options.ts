// Options with which a data folder is opened. Who calls: the server, a command line without a server, and tests.
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Secret } from '../domain/secrets/secret.ts';
import type { LimitMode } from '../domain/settings.ts';
import type { WorkflowsFile } from '../domain/trust/workflows-file.ts';
import type { AddressClass } from '../domain/upstream/address-class.ts';
import type { ForkUtility } from '../executor/process/utility-worker.ts';
import type { WorkerPool } from '../executor/pool/worker-pool.ts';
import type { FileParser } from '../services/file-parser.ts';
import type { CassetteFile } from '../storage/cassettes/cassette-file.ts';
import type { FileSystem } from '../files/file-system.ts';
import type { JsonDocument } from '../storage/json-document.ts';
import type { KeySeal } from '../storage/key-file-vault.ts';
import type { Backend } from './backend.ts';

export type ServiceOptions = {
  readonly dataDir: string;
  /** In place of the data folder's own stores. */
  readonly openBackend?: ((options: ServiceOptions) => Promise<Backend>) | undefined;
  /** Folders searched for workflow files beside the data folder's own. */
  readonly workflowFolders?: readonly string[];
  /** Single workflow files. */
  readonly workflowFiles?: readonly string[];
  /** True if called workflows are looked up relative to the calling file instead of in the folders. */
  readonly relativeCalls?: boolean;
  /** Overrides the stored setting until the process ends. */
  readonly limits?: LimitMode;
  /** true: a request header may ask for a scenario, whatever the setting says. */
  readonly scenarios?: boolean;
  /** Overrides the stored setting; 0 takes any free one. */
  readonly port?: number | undefined;
  /** Overrides the stored setting until the process ends. */
  readonly profile?: string;
  /** A key that opens everything and is not stored. */
  readonly fixedApiKey?: string;
  /** For all runs, in place of the data folder's own cassettes. */
  readonly cassette?: CassetteFile;
  /** In place of the machine's own, for what the data folder holds. */
  readonly fileSystem?: FileSystem | undefined;
  /** Path of the bundled row worker; the programs of other processes and threads are beside it. */
  readonly workerScript: string;
  /** Called once when the store can be neither read nor written any more: the process has to end. */
  readonly onStoreDied?: ((error: Error) => void) | undefined;
  /** Maximum bytes of traces per run, in place of the default. */
  readonly maxTraceBytes?: number | undefined;
  /** true: the process ends with what it was started for, so files are parsed in it, and the store has a single thread. */
  readonly isShort?: boolean;
  /** Parses files in place of a process of this server's own. */
  readonly parser?: FileParser | undefined;
  /** Row workers of the caller, who closes them, in place of this server's own. */
  readonly pool?: WorkerPool | undefined;
  /** false: runs are kept and moved, but none executes here. */
  readonly executes?: boolean;
  /** Why no workflow file is changed; absent: they can be. */
  readonly readOnly?: string | undefined;
  /** Classes of addresses that the workflows named here may call until the process ends, beside what each was granted. */
  readonly allowNetwork?: readonly AddressClass[];
  /** true: calls go through the proxy of the environment, whatever the setting says. */
  readonly usesProxy?: boolean;
  /** Secrets that are not stored; they go before stored ones of the same name. */
  readonly extraSecrets?: readonly Secret[];
  /** Trust decisions of another data folder, used in place of this one's. */
  readonly decisions?: JsonDocument<WorkflowsFile>;
  /** Another data folder whose secrets are used, and not changed, in place of this one's. */
  readonly secretsFrom?: string;
  /** Electron's way to start row workers; without it they are child processes of this one. */
  readonly forkUtility?: ForkUtility | undefined;
  /** Seals the key of the secrets; absent: the key file is not sealed. */
  readonly keySeal?: KeySeal | undefined;
  readonly clock: Clock;
  readonly log: Log;
};
