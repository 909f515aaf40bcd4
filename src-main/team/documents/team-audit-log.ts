// The audit log of a team. Who calls: the control API of its servers.
import type { AuditQuery, AuditRecord } from '../../domain/access/audit-record.ts';
import type { AuditLog } from '../../services/ports.ts';
import type { Sql } from '../sql.ts';

export class TeamAuditLog implements AuditLog {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async append(record: AuditRecord): Promise<void> {
    await this.#sql.query('insert into rowbench.audit (id, record) values ($1, $2)', [
      record.id,
      JSON.stringify(record),
    ]);
  }

  async list({ limit, before, tokenName }: AuditQuery): Promise<readonly AuditRecord[]> {
    const found = await this.#sql.query<{ record: string }>(
      `select record from rowbench.audit
       where ($2::text is null or id < $2) and ($3::text is null or record::json->>'tokenName' = $3)
       order by id desc limit $1`,
      [limit, before ?? null, tokenName ?? null],
    );
    return found.map(({ record }) => JSON.parse(record) as AuditRecord);
  }
}
