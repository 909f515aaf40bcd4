// What lies around a text that is edited, as far as its help needs it. The server collects it; the text itself says the rest.
import type { JsonValue } from '../../../base/json-value.ts';

/** A file of records beside the workflow. */
export type TableColumns = { readonly path: string; readonly columns: readonly string[] };

/** Values that a name had in rows that were previewed. */
export type SeenValues = {
  readonly row: readonly JsonValue[];
  /** By node id. */
  readonly nodes: Readonly<Record<string, readonly JsonValue[]>>;
};

export type LanguageContext = {
  /** Id of the workflow whose file is edited. */
  readonly workflowId: string;
  /** Ids of the workflows of the server. */
  readonly workflowIds: readonly string[];
  readonly secrets: readonly string[];
  /** Names of the files beside the workflow that can hold rows. */
  readonly rowFiles: readonly string[];
  readonly tables: readonly TableColumns[];
  readonly seen: SeenValues;
};

export const emptyContext: LanguageContext = {
  workflowId: 'workflow',
  workflowIds: [],
  secrets: [],
  rowFiles: [],
  tables: [],
  seen: { row: [], nodes: {} },
};
