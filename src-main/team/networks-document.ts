// The networks that the calls of each workflow may reach, as users have granted them: a copy of a part of the trust decisions,
// which workers cannot read. Who calls: open-team-documents.ts. INVARIANT: both documents change in one transaction.
import { z } from 'zod';
import { defaultNetwork, type WorkflowsFile } from '../domain/trust/workflows-file.ts';
import { addressClasses, type AddressClass } from '../domain/upstream/address-class.ts';
import type { DocumentDefinition } from '../storage/document-definitions.ts';
import type { Sql } from './sql.ts';
import { documentsChannel } from './team-document.ts';

const networksFileSchema = z.object({
  version: z.literal(1),
  /** By workflow; absent: `defaultNetwork`. */
  networks: z.record(z.string(), z.array(z.enum(addressClasses))),
});
export type NetworksFile = z.infer<typeof networksFileSchema>;

export const networksDocument: DocumentDefinition<NetworksFile> = {
  name: 'networks',
  schema: networksFileSchema,
  initial: () => ({ version: 1, networks: {} }),
};

/** The networks of trust decisions. */
export const networksIn = ({ workflows }: WorkflowsFile): NetworksFile => ({
  version: 1,
  networks: Object.fromEntries(
    workflows.flatMap(({ id, network }) => (network === undefined ? [] : [[id, network]])),
  ),
});

export const networkIn = ({ networks }: NetworksFile, workflowId: string): readonly AddressClass[] =>
  Object.hasOwn(networks, workflowId) ? (networks[workflowId] ?? defaultNetwork) : defaultNetwork;

/** Copies the networks in the transaction that changes the decisions. */
export async function copyNetworks(sql: Sql, decisions: WorkflowsFile): Promise<void> {
  const { name } = networksDocument;
  await sql.query('update rowbench.documents set version = version + 1, value = $2 where name = $1', [
    name,
    JSON.stringify(networksIn(decisions)),
  ]);
  await sql.query('select pg_notify($1, $2)', [documentsChannel, name]);
}
