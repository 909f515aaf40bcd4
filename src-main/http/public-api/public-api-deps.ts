import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { Settings } from '../../domain/settings.ts';
import type { ApiFaults } from '../../services/api-faults.ts';
import type { KeyService } from '../../services/key-service.ts';
import type { LimitService } from '../../services/limit-service.ts';
import type { ReplayTokens } from '../../services/replay-tokens.ts';
import type { RunService } from '../../services/run-service.ts';
import type { TrustService } from '../../services/trust-service.ts';
import type { WorkflowService } from '../../services/workflow-service.ts';

/** The services that the public API's routes use. Keys, limits and runs are asynchronous, so that another backend can implement them. */
export type PublicApiDeps = {
  readonly keys: Pick<KeyService, 'verify' | 'use' | 'recognise'>;
  readonly limits: Pick<LimitService, 'open' | 'check' | 'label'>;
  readonly replayTokens: ReplayTokens;
  readonly workflows: WorkflowService;
  readonly trust: TrustService;
  readonly runs: Pick<RunService, 'beginRun' | 'find' | 'knowsWorkflow' | 'readOutputPieces'>;
  readonly apiFaults: ApiFaults;
  readonly settings: () => Settings;
  readonly clock: Clock;
  readonly log: Log;
};
