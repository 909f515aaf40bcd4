import { z } from 'zod';
import { addressClasses, type AddressClass } from '../domain/upstream/address-class.ts';
import { nothing, oneWorkflow, procedure, type Nothing } from './procedure.ts';
import type { ImportPreview, WorkflowDetail, WorkflowView } from './workflow-views.ts';

const classes = z.array(z.enum(addressClasses)).max(addressClasses.length).exactOptional();
/** Paths are those of the machine that Rowbench runs on; `as` is judged with the files, so that all is told at once. */
const importWish = z.strictObject({
  path: z.string().min(1).max(4096),
  as: z.string().max(200).exactOptional(),
  replaces: z.boolean(),
});
type ImportWish = { path: string; as?: string; replaces: boolean };

export const workflowProcedures = {
  'workflow.list': procedure<Nothing, readonly WorkflowView[]>(nothing),
  'workflow.show': procedure<{ workflowId: string }, WorkflowDetail>(oneWorkflow),
  'workflow.trust': procedure<{ workflowId: string; hash: string }, WorkflowView>(
    oneWorkflow.extend({ hash: z.string().max(64) }),
  ),
  'workflow.revoke': procedure<{ workflowId: string }, WorkflowView>(oneWorkflow),
  'workflow.grant': procedure<
    { workflowId: string; allow?: AddressClass[]; deny?: AddressClass[] },
    WorkflowView
  >(oneWorkflow.extend({ allow: classes, deny: classes })),
  'workflow.inspect': procedure<ImportWish, ImportPreview>(importWish),
  'workflow.import': procedure<ImportWish & { trusted?: string }, readonly WorkflowView[]>(
    importWish.extend({ trusted: z.string().max(64).exactOptional() }),
  ),
};
