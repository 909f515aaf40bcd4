// Plans what is published to a team: the workflows of a folder, and the files that they need. Stores nothing, runs nothing.
import { profilesFileName } from '../domain/profiles/profile.ts';
import { cassetteNameFor } from '../domain/workflow/file-names.ts';
import { nodeFileSystem } from '../files/node-file-system.ts';
import { parserInProcess } from './file-parser.ts';
import { maxFileBytes, planImport, type ImportPlan } from './plan-import.ts';

export type PublishedFile = { readonly path: string; readonly bytes: Uint8Array };

export type PublishPlan = Pick<ImportPlan, 'workflows' | 'problems'> & {
  /** By path, which is relative to the folder. */
  readonly files: readonly PublishedFile[];
};

/** Throws `invalid_input` if there is nothing to publish. @param path of a folder, absolute */
export async function planPublish(path: string): Promise<PublishPlan> {
  const { folder, workflows, problems } = await planImport(nodeFileSystem, parserInProcess, { path });
  if (problems.length > 0) return { workflows, problems, files: [] };
  const names = new Set(await folder.names());
  const sidecars = [profilesFileName, ...workflows.map(({ file }) => cassetteNameFor(file))];
  const paths = new Set([
    ...workflows.flatMap(({ file, files }) => [file, ...files]),
    ...sidecars.filter((name) => names.has(name)),
  ]);
  const files: PublishedFile[] = [];
  for (const each of [...paths].sort())
    files.push({ path: each, bytes: await folder.read(each, maxFileBytes) });
  return { workflows, problems, files };
}
