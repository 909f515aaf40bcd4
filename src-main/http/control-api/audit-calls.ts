// Writes a record of each change that a caller makes through the control API, or is refused.
import { v7 as uuid } from 'uuid';
import { AppError } from '../../base/app-error.ts';
import { isoTime, type Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { ControlCaller } from '../../contract/index.ts';
import type { AuditRecord } from '../../domain/access/audit-record.ts';
import type { AuditLog } from '../../services/ports.ts';

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

// The ids of what a call was about. Only fields named here are read: every other one may hold a secret, a row or a text.

type Fields = Readonly<Record<string, unknown>>;
type Ids = Record<string, string>;

type Call = { readonly procedure: string; readonly input?: unknown; readonly answer?: unknown };

const idPattern = /^[\w.-]{1,100}$/;
/** Runs that a record names at most. */
const maxListed = 100;

function auditSubject({ procedure, input, answer }: Call): Ids {
  const ids = { ...idsOf(fieldsOf(input)), ...moreOf(procedure, fieldsOf(input)) };
  const { runId: answerRunId, ...answerIds } = answerIdsOf(answer);
  if (answerRunId === undefined) return { ...ids, ...answerIds };
  // The run that repeats another one.
  const isOther = ids['runId'] !== undefined && ids['runId'] !== answerRunId;
  return { ...ids, ...answerIds, ...(isOther ? { newRunId: answerRunId } : { runId: answerRunId }) };
}

function idsOf(fields: Fields): Ids {
  const ids: Ids = {};
  for (const name of ['workflowId', 'runId', 'id']) {
    const id = idIn(fields[name]);
    if (id !== undefined) ids[name] = id;
  }
  return ids;
}

/** Names that procedures have in other fields. */
function moreOf(procedure: string, input: Fields): Ids {
  if (procedure.startsWith('secret.')) return entry('secret', idIn(input['name']));
  if (procedure === 'settings.change') return entry('settings', listed(Object.keys(input)));
  if (procedure === 'calls.replay') return entry('call', String(input['number']));
  if (procedure === 'run.bulk') return entry('verb', idIn(input['verb']));
  return {};
}

function answerIdsOf(answer: unknown): Ids {
  if (Array.isArray(answer)) return entry('workflowIds', listed(answer.map((each) => fieldsOf(each)['id'])));
  const fields = fieldsOf(answer);
  const { results } = fields;
  return {
    ...idsOf(fields),
    ...idsOf(fieldsOf(fields['key'])),
    ...idsOf(fieldsOf(fields['token'])),
    ...(Array.isArray(fields['workflowIds']) ? entry('workflowIds', listed(fields['workflowIds'])) : {}),
    ...(Array.isArray(results)
      ? entry('runIds', listed(results.map((each) => fieldsOf(each)['runId'])))
      : {}),
  };
}

const entry = (name: string, value: string | undefined): Ids =>
  value === undefined ? {} : { [name]: value };

/** The ids in a list, with blanks between; undefined if there are none. */
function listed(values: readonly unknown[]): string | undefined {
  const ids = values.flatMap((value) => idIn(value) ?? []);
  return ids.length === 0 ? undefined : ids.slice(0, maxListed).join(' ');
}

const idIn = (value: unknown): string | undefined =>
  typeof value === 'string' && idPattern.test(value) ? value : undefined;

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};
