import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { silentLog } from '../../../src-main/base/log.ts';
import { WorkflowService } from '../../../src-main/services/workflow-service.ts';
import { WorkflowFiles } from '../../../src-main/storage/workflow-files.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';

const flow = (id: string): string => `rowbench: 1
id: ${id}
nodes:
  - { id: input, type: input }
  - { id: result, type: output, fields: { n: "=row.n" } }
`;

it("an import never takes the place of the user's own workflow, whatever their paths are", async () => {
  const own = join(await temporaryFolder(), 'workflows');
  await mkdir(join(own, 'a'), { recursive: true });
  await writeFile(join(own, 'a', 'a.workflow.yaml'), flow('a'));
  await writeFile(join(own, 'z.workflow.yaml'), flow('a'));
  const workflows = new WorkflowService({ files: new WorkflowFiles({ own }), log: silentLog });
  expect((await workflows.find('a'))?.place).toBe('own');
});

it('only what the user named at the start counts as named', async () => {
  const own = join(await temporaryFolder(), 'workflows');
  const folder = await temporaryFolder();
  await mkdir(join(own, 'imported'), { recursive: true });
  await writeFile(join(own, 'imported', 'x.workflow.yaml'), flow('imported'));
  await writeFile(join(own, 'mine.workflow.yaml'), flow('mine'));
  await writeFile(join(folder, 'named.workflow.yaml'), flow('named'));
  const files = new WorkflowFiles({ own, folders: [folder, join(own, 'imported')] });
  const workflows = new WorkflowService({ files, log: silentLog });
  await workflows.refresh();
  expect(['named', 'mine', 'imported', 'none'].filter((id) => workflows.isNamed(id))).toEqual(['named']);
});
