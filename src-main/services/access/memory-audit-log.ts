import type { AuditQuery, AuditRecord } from '../../domain/access/audit-record.ts';
import type { AuditLog } from '../ports.ts';

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

  async list({ limit, before, tokenName }: AuditQuery): Promise<readonly AuditRecord[]> {
    const found = this.#records.filter(
      (record) =>
        (before === undefined || record.id < before) &&
        (tokenName === undefined || record.tokenName === tokenName),
    );
    return found.slice(-limit).reverse();
  }
}
