// Writes a record of each change that a caller makes through the control API, or is refused.
import { v7 as uuid } from 'uuid';
import { AppError } from '../../base/app-error.ts';
import { isoTime, type Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { ControlCaller } from '../../contract/index.ts';
import type { AuditRecord } from '../../domain/access/audit-record.ts';
import type { AuditLog } from '../../services/ports.ts';
import { auditSubject } from './audit-subject.ts';

export type AuditDeps = {
  readonly audit: AuditLog;
  readonly clock: Clock;
  readonly log: Log;
  /** True for a change that belongs to an earlier one, which has a record. */
  readonly isContinued: (call: AuditedCall) => boolean;
};

export type AuditedCall = {
  readonly procedure: string;
  /** Undefined: a process that can read the data folder. */
  readonly caller: ControlCaller | undefined;
  /** The call's input, once it is read. */
  input?: unknown;
};

/**
 * Makes the change and writes its record, whether it succeeds or not. The change stands even if the record cannot be
 * written: the record then goes to the server's log.
 */
export async function withAudit<T>(deps: AuditDeps, call: AuditedCall, change: () => Promise<T>): Promise<T> {
  try {
    const answer = await change();
    if (deps.isContinued(call)) return answer;
    await append(deps, call, { outcome: 'done', subject: auditSubject({ ...call, answer }) });
    return answer;
  } catch (error) {
    const outcome = error instanceof AppError ? error.code : 'failed';
    await append(deps, call, { outcome, subject: auditSubject(call) });
    throw error;
  }
}

async function append(
  { audit, clock, log }: AuditDeps,
  { procedure, caller }: AuditedCall,
  result: Pick<AuditRecord, 'outcome' | 'subject'>,
): Promise<void> {
  const record: AuditRecord = {
    id: uuid(),
    at: isoTime(clock),
    tokenId: caller?.tokenId ?? null,
    tokenName: caller?.name ?? 'data folder',
    role: caller?.role ?? 'admin',
    procedure,
    ...result,
  };
  try {
    await audit.append(record);
  } catch (error) {
    log.error({ error, record }, 'a record of the audit log could not be written');
  }
}
