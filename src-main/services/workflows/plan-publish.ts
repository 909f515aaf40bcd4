// Plans what is published to a team: the workflows of a folder, and the files that they need. Stores nothing, runs nothing.
// Who calls: the command line with the user's folder, and a server with the files that it was sent.
import { profilesFileName } from '../../domain/profiles/profile-names.ts';
import { cassetteNameFor } from '../../domain/workflow/file-names.ts';
import type { PublishedFile } from '../../domain/workflow/publication.ts';
import { nodeFileSystem } from '../../files/node-file-system.ts';
import { parserInProcess, type FileParser } from './file-parser.ts';
import { maxFileBytes, planFolder, planImport, type ImportPlan } from './plan-import.ts';
import { UploadedFiles } from './uploaded-files.ts';

export type PublishPlan = Pick<ImportPlan, 'workflows' | 'problems'> & {
  /** By path, which is relative to the folder. */
  readonly files: readonly PublishedFile[];
};

/** Throws `invalid_input` if there is nothing to publish. @param path of a folder, absolute */
export const planPublish = async (path: string): Promise<PublishPlan> =>
  withFiles(await planImport(nodeFileSystem, parserInProcess, { path }));

/** The same for files that a client sent. Throws `invalid_input`. */
export const planPublishOfFiles = async (
  files: readonly PublishedFile[],
  parser: FileParser,
): Promise<PublishPlan> =>
  withFiles(await planFolder(parser, { folder: new UploadedFiles(files), label: 'The publication' }));

async function withFiles({ folder, workflows, problems }: ImportPlan): Promise<PublishPlan> {
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
