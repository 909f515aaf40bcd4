// Edits of any YAML or JSON file, by the paths of its values, and their effect on the data.
import type { JsonValue } from '../../../base/json-value.ts';
import type { PathStep } from '../../workflow/file-problem.ts';
import type { Path } from './editable-file.ts';
import { dataOfJson, type FileData } from './file-data.ts';
import { applyChanges, type TextChange } from './text-changes.ts';

export type FileEdit =
  /** A new value for an item or key that is there. */
  | {
      readonly kind: 'setValue';
      readonly path: Path;
      readonly value: JsonValue;
      /** The value of a key as it is to be written in lines: a list, its dashes in the first column. */
      readonly written?: string;
    }
  /** A new item of the list at `path`. */
  | {
      readonly kind: 'insertItem';
      readonly path: Path;
      readonly index: number;
      readonly value: JsonValue;
      /** The item as it is to be written in a list in lines, its dash in the first column. */
      readonly written?: string;
    }
  /** A new key of the object at `path`, in front of the key `before` or at the end. */
  | {
      readonly kind: 'insertKey';
      readonly path: Path;
      readonly key: string;
      readonly value: JsonValue;
      readonly before?: string;
    }
  /** Removes an item, or a key with its value, and the comments that belong to it. */
  | { readonly kind: 'removeItem'; readonly path: Path }
  /** Moves an item or key within its list or object, so that it has the index `to` afterwards. */
  | { readonly kind: 'moveItem'; readonly path: Path; readonly to: number }
  /** Copies an item, with its comments, so that the copy has the index `to`. */
  | { readonly kind: 'copyItem'; readonly path: Path; readonly to: number }
  | { readonly kind: 'renameKey'; readonly path: Path; readonly key: string }
  /** Changes parts of texts; offsets count in the value. */
  | {
      readonly kind: 'changeTexts';
      readonly texts: readonly { readonly path: Path; readonly changes: readonly TextChange[] }[];
    }
  /** Puts a comment above a key or item, in place of one that belongs to it; an empty text removes it. */
  | { readonly kind: 'setComment'; readonly path: Path; readonly text: string };

/** The data after the edit; undefined where the data has no such path. */
export function editedData(data: FileData, edit: FileEdit): FileData | undefined {
  switch (edit.kind) {
    case 'setValue':
      return updated(data, edit.path, () => dataOfJson(edit.value));
    case 'insertItem':
      return updated(data, edit.path, (list) =>
        withMembers(list ?? { list: [] }, (members) => inserted(members, edit.index, dataOfJson(edit.value))),
      );
    case 'insertKey':
      return updated(data, edit.path, (object) => withKey(object ?? { pairs: [] }, edit));
    case 'removeItem':
      return updatedParent(data, edit.path, (members, index) => members.toSpliced(index, 1));
    case 'moveItem':
      return updatedParent(data, edit.path, (members, index) =>
        inserted(members.toSpliced(index, 1), edit.to, members[index]),
      );
    case 'copyItem':
      return updatedParent(data, edit.path, (members, index) => inserted(members, edit.to, members[index]));
    case 'renameKey':
      return updatedParent(data, edit.path, (members, index) => {
        const member = members[index];
        return Array.isArray(member)
          ? members.with(index, [edit.key, (member as unknown as Pair)[1]])
          : members;
      });
    case 'changeTexts':
      return edit.texts.reduce<FileData | undefined>(
        (before, { path, changes }) =>
          before === undefined ? undefined : updated(before, path, (text) => spliced(text, changes)),
        data,
      );
    case 'setComment':
      return data;
  }
}

type Pair = readonly [key: string, value: FileData];
/** Items of a list, or pairs of an object. */
type Member = FileData | Pair;

const membersOf = (data: FileData): readonly Member[] | undefined => {
  if (typeof data !== 'object' || data === null) return undefined;
  return 'list' in data ? data.list : 'pairs' in data ? data.pairs : undefined;
};

function withMembers(
  data: FileData,
  change: (members: readonly Member[]) => readonly Member[],
): FileData | undefined {
  const members = membersOf(data);
  if (members === undefined) return undefined;
  const changed = change(members);
  return typeof data === 'object' && data !== null && 'list' in data
    ? { list: changed as readonly FileData[] }
    : { pairs: changed as readonly Pair[] };
}

const indexIn = (data: FileData, step: PathStep): number => {
  const members = membersOf(data) ?? [];
  if (typeof data === 'object' && data !== null && 'list' in data)
    return typeof step === 'number' && step < members.length ? step : -1;
  return members.findIndex((member) => (member as Pair)[0] === String(step));
};

function updated(
  data: FileData,
  [step, ...rest]: Path,
  change: (data: FileData) => FileData | undefined,
): FileData | undefined {
  if (step === undefined) return change(data);
  const index = indexIn(data, step);
  const member = membersOf(data)?.[index];
  if (member === undefined) return undefined;
  const old = Array.isArray(member) ? (member as unknown as Pair)[1] : (member as FileData);
  const value = updated(old, rest, change);
  if (value === undefined) return undefined;
  return withMembers(data, (members) =>
    members.with(index, Array.isArray(member) ? [(member as unknown as Pair)[0], value] : value),
  );
}

function updatedParent(
  data: FileData,
  path: Path,
  change: (members: readonly Member[], index: number) => readonly Member[],
): FileData | undefined {
  const step = path.at(-1);
  if (step === undefined) return undefined;
  return updated(data, path.slice(0, -1), (parent) => {
    const index = indexIn(parent, step);
    return index < 0 ? undefined : withMembers(parent, (members) => change(members, index));
  });
}

const inserted = (
  members: readonly Member[],
  index: number,
  member: Member | undefined,
): readonly Member[] => (member === undefined ? members : members.toSpliced(index, 0, member));

function withKey(
  object: FileData,
  { key, value, before }: FileEdit & { readonly kind: 'insertKey' },
): FileData | undefined {
  const index = before === undefined ? -1 : indexIn(object, before);
  if (before !== undefined && index < 0) return undefined;
  return withMembers(object, (members) =>
    inserted(members, index < 0 ? members.length : index, [key, dataOfJson(value)]),
  );
}

const spliced = (text: FileData, changes: readonly TextChange[]): FileData | undefined =>
  typeof text === 'string' ? applyChanges(text, changes) : undefined;
