import type { ErrorCode } from '../../base/app-error.ts';
import type { Role } from './role.ts';

/** One change through the control API, made or refused. It holds ids alone: no secrets, no names of rows, no values. */
export type AuditRecord = {
  /** A UUID v7: records sort by their ids. */
  readonly id: string;
  /** When the call ended, ISO 8601. */
  readonly at: string;
  /** Id of the token; null: a process that can read the data folder. */
  readonly tokenId: string | null;
  readonly tokenName: string;
  readonly role: Role;
  /** The procedure, or the name of the route. */
  readonly procedure: string;
  /** Ids of what the change was about, by kind. */
  readonly subject: Readonly<Record<string, string>>;
  readonly outcome: 'done' | 'failed' | ErrorCode;
};

export type AuditQuery = {
  readonly limit: number;
  /** Id of a record: only older ones are listed. */
  readonly before?: string | undefined;
  /** Name of an access token: only changes of its owner. */
  readonly tokenName?: string | undefined;
};
