import type { AuditQuery, AuditRecord } from '../domain/access/audit-record.ts';
import type { AuditLog } from './ports.ts';

/** Records that are kept; the oldest goes when there are more. */
const maxRecords = 10_000;

/** The audit log of a server without a database: it lasts as long as the process. */
export class MemoryAuditLog implements AuditLog {
  /** Oldest first. */
  readonly #records: AuditRecord[] = [];

  async append(record: AuditRecord): Promise<void> {
    this.#records.push(record);
    if (this.#records.length > maxRecords) this.#records.shift();
  }

  async list({ limit, before }: AuditQuery): Promise<readonly AuditRecord[]> {
    const older = this.#records.filter(({ id }) => before === undefined || id < before);
    return older.slice(-limit).reverse();
  }
}
