// Errors of the database of a team, by the codes that PostgreSQL and the connection give them.
import { AppError } from '../base/app-error.ts';
import { dataUnreadable, diskHasNoRoom } from '../domain/store-errors.ts';

/** 503: a call that changed nothing, since the database did not answer */
export const databaseUnavailable = (cause: unknown) =>
  new AppError(
    'out_of_resources',
    'The database does not answer at the moment. Nothing was changed; try again in a few seconds',
    { retryAfterSeconds: 5, cause },
  );

/** 503: a call of which it is not known whether it changed anything */
export const outcomeUnknown = (what: string, cause: unknown) =>
  new AppError(
    'store_degraded',
    `The database stopped answering while it stored ${what}. Look for it before you send it again`,
    { retryAfterSeconds: 30, cause },
  );

/** 503: another server removed the last run that needed the text; the next try stores the text again */
export const snapshotRemoved = (cause: unknown) =>
  new AppError(
    'out_of_resources',
    'The text of the workflow was removed from the database at the same time. Nothing was changed; try again',
    { retryAfterSeconds: 1, cause },
  );

/** 408 */
export const rowsExpired = () =>
  new AppError('request_timeout', 'The rows took too long to arrive and were removed. Send them again');

/** System codes of a connection that was lost or never made. */
const connectionCodes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
]);
/** Messages of `pg` for the same; they have no code. */
const connectionMessage =
  /^Connection terminated|^timeout exceeded when trying to connect|is not queryable$|^Client was closed/;
/**
 * Classes of PostgreSQL's codes: connection exception, transaction rollback (deadlock), insufficient resources, operator
 * intervention (restart, cancelled); "read-only transaction", which a former primary server answers; and a transaction that
 * was suspended for too long.
 */
const passingCodes = /^(08|40|53|57)...$|^25006$|^25P03$/;
const diskFullCode = '53100';
/** Damage, of data or of an index; and bytes of lines that are not UTF-8. */
const damageCodes = /^XX00[12]$|^22021$/;
const uniqueViolation = '23505';
const foreignKeyViolation = '23503';

type SqlError = Error & { readonly code?: unknown; readonly constraint?: unknown };

const codeOf = (error: unknown): string =>
  error instanceof Error && typeof (error as SqlError).code === 'string'
    ? String((error as SqlError).code)
    : '';

/** True if the connection was lost: what was sent last may have happened. */
export const isConnectionLost = (error: unknown): boolean =>
  connectionCodes.has(codeOf(error)) ||
  /^(08...|57P0.|25P03)$/.test(codeOf(error)) ||
  (error instanceof Error && connectionMessage.test(error.message));

export const isUniqueViolation = (error: unknown): boolean => codeOf(error) === uniqueViolation;

/** True if a run refers to a snapshot that is not there. */
export const isMissingSnapshot = (error: unknown): boolean =>
  codeOf(error) === foreignKeyViolation &&
  String((error as SqlError).constraint).startsWith('run_snapshots_');

/** The error for the caller of a store. An error of ours, such as a violated constraint, stays as it is. */
export function storeErrorOf(error: unknown): unknown {
  if (error instanceof AppError) return error;
  const code = codeOf(error);
  if (code === diskFullCode) return diskHasNoRoom(error);
  if (damageCodes.test(code)) return dataUnreadable(`the database reports damage: ${String(error)}`, error);
  return isConnectionLost(error) || passingCodes.test(code) ? databaseUnavailable(error) : error;
}

/** Translates the errors of `act` with `storeErrorOf`. */
export async function withStoreErrors<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act();
  } catch (error) {
    throw storeErrorOf(error);
  }
}
