import type { Clock } from '../../base/clock.ts';
import type { KeyTest, KeyTestView } from '../../contract/index.ts';
import type { CallContent, LoggedCall } from '../../domain/api-log/logged-call.ts';
import type { RunOrigin } from '../../domain/run/run.ts';
import type { ServerDetails } from '../../presenters/server-info.ts';

/** The process in which the handlers run. */
export type ControlHost = ServerDetails & {
  /** The program that starts a run whose caller names none. */
  readonly client: ClientKind;
  /** A fresh code that lets one browser in. Throws where no server listens. */
  readonly entryCode: () => string;
  /** The answer that the public API would give to a call; the two APIs do not know each other. */
  readonly rehearse: (
    test: KeyTest,
  ) => Promise<Pick<KeyTestView, 'status' | 'body' | 'refusal' | 'retryAfterSeconds'>>;
  /** Makes a call to our own port. Throws where no server listens. */
  readonly replay: (call: LoggedCall, content: CallContent, token: string) => Promise<void>;
  readonly clock: Clock;
};

/** Program that asks for a run without an API key. */
export type ClientKind = Exclude<RunOrigin['kind'], 'key'>;
