// How the files of an editor differ from those that the server has.
import type { FileChange } from '#contract';
import { textDifference } from '../../../format/line-edits.ts';
import type { EditorFile } from './editor-file.svelte.ts';

type KnownFile = {
  readonly text: string;
  readonly hash: string | null;
  readonly isChanged: boolean;
  /** False: the server reads the text from the disk. */
  readonly hasText: boolean;
};
/** Files as the server has them, by name. */
export type KnownFiles = ReadonlyMap<string, KnownFile>;

export const knownFiles = (files: readonly EditorFile[]): KnownFiles =>
  new Map(files.map((file, index) => [file.name, knownFile(file, index === 0)]));

/** The text of the workflow's own file is sent even if it is on the disk: each key changes it. */
function knownFile({ text, edited, isChanged, diskHash }: EditorFile, isOwn: boolean): KnownFile {
  const hasText = isOwn || isChanged || diskHash === undefined;
  return { text, hash: hasText ? edited.baseHash : diskHash, isChanged, hasText };
}

/** All files. The server reads those without changes from the disk, but for the workflow's own, the first. */
export const wholeFiles = (files: readonly EditorFile[]): readonly FileChange[] =>
  [...knownFiles(files)].map(([name, file]) => wholeFile(name, file));

function wholeFile(name: string, { text, hash, isChanged, hasText }: KnownFile): FileChange {
  if (isChanged) return { name, baseHash: hash, text };
  return { name, hash, ...(hasText ? { text } : {}) };
}

/** The files that differ from those that the server has. */
export function fileChanges(files: readonly EditorFile[], known: KnownFiles): readonly FileChange[] {
  return [...knownFiles(files)].flatMap(([name, file]): readonly FileChange[] => {
    const { text, hash, isChanged, hasText } = file;
    const before = known.get(name);
    const isSame =
      before?.text === text &&
      before.hash === hash &&
      before.isChanged === isChanged &&
      before.hasText === hasText;
    if (isSame) return [];
    if (before?.hasText !== true || !hasText) return [wholeFile(name, file)];
    const changes = before.text === text ? [] : [textDifference(before.text, text)];
    return [isChanged ? { name, baseHash: hash, changes } : { name, hash, changes }];
  });
}

/** True if a file has another text than the server has. */
export const hasOtherTexts = (files: KnownFiles, known: KnownFiles): boolean =>
  [...files].some(([name, { text }]) => known.get(name)?.text !== text);
