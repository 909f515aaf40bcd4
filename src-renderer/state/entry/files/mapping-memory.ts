// How the user has mapped the columns of files, kept in this browser by workflow and by the set of names in the file.
import { parseReadOptions, writtenReadOptions, type ColumnRepair, type ReadOptions } from '#contract';
import type { FileColumn, FileTable } from '../column-types.ts';

/** A mapping of the columns of a file. */
export type RememberedMapping = {
  readonly savedAt: string;
  /** The choices of the user about how the file is read. */
  readonly options: ReadOptions;
  readonly columns: readonly RememberedColumn[];
};

type RememberedColumn = Pick<FileColumn, 'name' | 'target' | 'type' | 'repairs'>;

type Field = FileTable['fields'][number];

type Entry = Omit<RememberedMapping, 'options'> & {
  readonly key: string;
  readonly options: Readonly<Record<string, string | boolean>>;
};

const storedAs = 'rowbench.mappings';
/** Maximum mappings; the oldest are dropped. */
const maxMappings = 50;

type Store = Pick<Storage, 'getItem' | 'setItem'>;

export class MappingMemory {
  readonly #workflowId: string;
  readonly #store: Store;

  constructor(workflowId: string, store: Store = localStorage) {
    this.#workflowId = workflowId;
    this.#store = store;
  }

  /** The mapping of a file with that set of names; their order and case do not count. */
  find(names: readonly string[]): RememberedMapping | undefined {
    const entry = this.#read().find(({ key }) => key === this.#keyOf(names));
    if (entry === undefined) return undefined;
    try {
      return { ...entry, options: parseReadOptions(entry.options) };
    } catch {
      return undefined; // Written by another version.
    }
  }

  save(names: readonly string[], { savedAt, options, columns }: RememberedMapping): void {
    const key = this.#keyOf(names);
    const others = this.#read().filter((entry) => entry.key !== key);
    const stored = columns.map(({ name, target, type, repairs }) => ({ name, target, type, repairs }));
    const entry: Entry = { key, savedAt, options: writtenReadOptions(options), columns: stored };
    try {
      this.#store.setItem(storedAs, JSON.stringify([...others.slice(1 - maxMappings), entry]));
    } catch {
      // No room in this browser: the next file is mapped anew.
    }
  }

  #keyOf(names: readonly string[]): string {
    const sorted = names.map(keyOfName).sort();
    return JSON.stringify([this.#workflowId, ...sorted]);
  }

  #read(): readonly Entry[] {
    try {
      const stored: unknown = JSON.parse(this.#store.getItem(storedAs) ?? '[]');
      return Array.isArray(stored) ? (stored as unknown[]).filter(isEntry) : [];
    } catch {
      return []; // Another program's text.
    }
  }
}

/**
 * The columns with what is remembered about them. A field that the workflow no longer has, or whose type has changed, is
 * as the columns had it.
 */
export function rememberedColumns(
  columns: readonly FileColumn[],
  remembered: readonly RememberedColumn[],
  fields: readonly Field[],
): readonly FileColumn[] {
  const byName = new Map(remembered.map((column) => [keyOfName(column.name), column]));
  const declared = new Map(fields.map((field) => [field.name, field]));
  return columns.map((column) => {
    const known = byName.get(keyOfName(column.name));
    if (known === undefined) return column;
    const { target, repairs } = known;
    const field = target === undefined ? undefined : declared.get(target);
    return {
      ...column,
      // The name may be written in another case now.
      target: target === known.name ? column.name : target,
      type: field?.type ?? known.type,
      repairs,
      isDeclared: field !== undefined,
      isRequired: field?.required === true,
    };
  });
}

const keyOfName = (name: string): string => name.trim().toLowerCase();

function isEntry(value: unknown): value is Entry {
  const entry = value as Partial<Record<keyof Entry, unknown>> | null;
  return (
    typeof entry === 'object' &&
    entry !== null &&
    typeof entry.key === 'string' &&
    typeof entry.savedAt === 'string' &&
    typeof entry.options === 'object' &&
    Array.isArray(entry.columns) &&
    (entry.columns as unknown[]).every(isColumn)
  );
}

function isColumn(value: unknown): value is RememberedColumn {
  const column = value as Partial<Record<keyof RememberedColumn, unknown>> | null;
  return (
    typeof column === 'object' &&
    column !== null &&
    typeof column.name === 'string' &&
    (column.target === undefined || typeof column.target === 'string') &&
    typeof column.type === 'string' &&
    Array.isArray(column.repairs) &&
    (column.repairs as unknown[]).every(isRepair)
  );
}

const isRepair = (value: unknown): value is ColumnRepair =>
  typeof value === 'object' && value !== null && 'kind' in value && typeof value.kind === 'string';
