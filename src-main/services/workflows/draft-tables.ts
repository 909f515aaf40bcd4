import { dirname, join } from 'node:path';
import { DraftFiles } from '../../files/draft-files.ts';
import { nodeFileSystem } from '../../files/node-file-system.ts';
import type { DraftTexts } from '../../files/read-rows.ts';
import { TableFiles } from '../../files/table-files.ts';

/** A file of a draft, beside the workflow that is edited. */
export type DraftText = { readonly name: string; readonly text: string };

/** The texts of the draft by path. @param workflowFile path of the workflow's own file */
export function draftTexts(workflowFile: string, files: readonly DraftText[]): DraftTexts {
  const texts = new Map(files.map(({ name, text }) => [join(dirname(workflowFile), name), text]));
  return (path) => texts.get(path);
}

/** The tables that a draft names: a file that is not saved yet is there. */
export const draftTables = (workflowFile: string, files: readonly DraftText[]): TableFiles =>
  new TableFiles(new DraftFiles(nodeFileSystem, draftTexts(workflowFile, files)));
