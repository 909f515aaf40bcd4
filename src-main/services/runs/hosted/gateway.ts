// Runs at a hosted service that scripts start at this server (`rowbench serve --hosted`). Who calls: the public API.
// INVARIANT: while it is unknown whether the service has the rows of a key, the same rows of that key are not accepted again.
import { createHash } from 'node:crypto';
import type { Clock } from '../../../base/clock.ts';
import { deferred } from '../../../base/deferred.ts';
import { eventLoopYield } from '../../../base/event-loop-yield.ts';
import type { HostedAttempt } from '../../../domain/hosted/hosted-attempt.ts';
import { canonicalJson } from '../../../domain/hosted/recorded-answers.ts';
import { hostedOutcomeUnknown } from '../../../domain/hosted-errors.ts';
import { isFinal } from '../../../domain/run/run-status.ts';
import type { Run } from '../../../domain/run/run.ts';
import type { RunReading } from '../../ports.ts';
import type { RunService } from '../run-service.ts';
import { textLines } from './hosted-results.ts';
import { maxSentBytes } from './hosted-run.ts';
import type { HostedRuns } from './hosted-runs.ts';

type HostedGatewayDeps = {
  /** Name of the connection. */
  readonly connection: string;
  readonly runs: Pick<RunService, 'get' | 'events'>;
  readonly hosted: HostedRuns;
  readonly store: Pick<RunReading, 'readRows'>;
  readonly clock: Clock;
};

/** Rows of a key that are about to be accepted. */
type NewRows = {
  readonly workflowId: string;
  readonly keyId: string;
  readonly rows: number;
  readonly arrived: ArrivedRows;
};

/** Rows of a POST as they arrive, unless they are too many to be sent. */
export class ArrivedRows {
  #pieces: Buffer[] = [];
  #bytes = 0;

  /** Takes the next lines; a piece may end inside a line. */
  push(lines: Uint8Array): void {
    this.#bytes += lines.length;
    if (this.#bytes > maxSentBytes) this.#pieces = [];
    else this.#pieces.push(Buffer.from(lines));
  }

  get lines(): readonly string[] {
    return Buffer.concat(this.#pieces).toString('utf8').split('\n').slice(0, -1);
  }
}

/** The error of a run that was not accepted, and the status of its answer. */
export type GatewayRefusal = { readonly status: number; readonly error: string };

/** Time for which a script waits until its rows are sent, in ms. After it, they stay queued. */
const maxWaitMs = 20_000;
const badGateway = 502;

export class HostedGateway {
  readonly #deps: HostedGatewayDeps;

  constructor(deps: HostedGatewayDeps) {
    this.#deps = deps;
  }

  get connection(): string {
    return this.#deps.connection;
  }

  /** Throws `move_not_allowed` if it is unknown whether the service has the same rows of the key. */
  async assertNew({ workflowId, keyId, rows, arrived }: NewRows): Promise<void> {
    const { hosted, store } = this.#deps;
    for (const run of hosted.unanswered()) {
      const { origin, runId } = run;
      const isOfKey = origin.kind === 'key' && origin.keyId === keyId;
      if (!isOfKey || run.workflowId !== workflowId || run.rows !== rows) continue;
      const stored = (await textLines(store.readRows(runId), Infinity)) ?? [];
      if ((await hashOf(stored)) === (await hashOf(arrived.lines)))
        throw hostedOutcomeUnknown(this.connection, runId);
    }
  }

  /**
   * Waits until the service has answered for the rows; undefined: it has accepted them, or they wait to be sent. Rows that
   * have not been sent are let go when the script has gone, since it does not know their run.
   */
  async refusalOf(runId: string, gone: AbortSignal): Promise<GatewayRefusal | undefined> {
    const { runs, hosted, clock } = this.#deps;
    const answered = deferred<Run>();
    let isLate = false;
    const look = (run: Run): void => {
      if (run.runId === runId && (isAnswered(run) || (isLate && run.hosted?.sentAt === undefined)))
        answered.resolve(run);
    };
    const stopListening = runs.events.listen(({ run }) => look(run));
    const lookAgain = (): void => void runs.get(runId).then(({ run }) => look(run), answered.reject);
    const stopWaiting = clock.setTimer(maxWaitMs, () => {
      isLate = true;
      lookAgain();
    });
    const letGo = (): void => void hosted.withdraw(runId).catch(answered.reject);
    gone.addEventListener('abort', letGo, { once: true });
    if (gone.aborted) letGo();
    lookAgain();
    try {
      return refusalIn(await answered.promise);
    } finally {
      gone.removeEventListener('abort', letGo);
      stopWaiting();
      stopListening();
    }
  }
}

/** SHA-256 of rows, equal for rows with the same fields and values. */
async function hashOf(lines: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  const yieldIfLong = eventLoopYield();
  for (const line of lines) {
    hash.update(`${canonicalJson(line)}\n`);
    await yieldIfLong();
  }
  return hash.digest('hex');
}

const isAnswered = ({ status, hosted }: Run): boolean =>
  isFinal(status) || hosted?.runId !== undefined || hosted?.isUnknown === true;

function refusalIn(run: Run): GatewayRefusal | undefined {
  const { hosted, runId } = run;
  if (hosted?.isUnknown === true) return { status: badGateway, error: unknownText(hosted, runId) };
  if (run.status !== 'failed') return undefined;
  const status = hosted?.refusedStatus ?? badGateway;
  const said = run.error.replace(`${hosted?.connection} answered ${status}: `, '');
  // A script would follow a redirect, with its key of this server.
  return status < 400 ? { status: badGateway, error: run.error } : { status, error: said };
}

const unknownText = ({ connection, problem = 'no id came back' }: HostedAttempt, runId: string): string =>
  `It is not known whether ${connection} has the rows (${problem}). Do not send them again: that may be billed twice. They are run ${runId} in Rowbench, where a person has to find out`;
