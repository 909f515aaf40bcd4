// The form of a node as data: a tree of fields, made of the schema of the node's type. Values are not in it: a field
// names the path of its value in the node.
import type { JsonValue } from '../../../base/json-value.ts';
import type { TableColumns } from '../language/language-context.ts';
import type { ProfileVars } from '../../profiles/profile-vars.ts';
import type { FieldKind } from '../../nodes/field-kind.ts';
import type { PathStep } from '../../workflow/file-problem.ts';

export type NodeField = {
  /** Path of the value, from the node. */
  readonly path: readonly PathStep[];
  /** Key in the file; the index of an item of a list. */
  readonly label: string;
  /** The key in words, such as "Time limit". */
  readonly title?: string;
  readonly description?: string;
  readonly isRequired: boolean;
  /** Smallest valid value of a key that may be absent; undefined if there is none. */
  readonly initial?: JsonValue;
  /** Value that an absent key stands for. */
  readonly default?: JsonValue;
  readonly control: FormControl;
};

export type FormControl =
  | { readonly kind: Exclude<FieldKind, 'after'> }
  /** Text without expressions. */
  | { readonly kind: 'plain' }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'number'; readonly isInteger: boolean; readonly min?: number; readonly max?: number }
  | { readonly kind: 'choice'; readonly options: readonly string[] }
  /** One of these names, or a number or expression. */
  | { readonly kind: 'numberOrName'; readonly names: readonly string[] }
  /** `nodes`: ids of nodes that can run before this one. */
  | { readonly kind: 'after'; readonly nodes: readonly string[] }
  | { readonly kind: 'group'; readonly fields: readonly NodeField[]; readonly unknown: readonly UnknownKey[] }
  /** Names with groups. `newEntry`: value for a new name. */
  | { readonly kind: 'entries'; readonly entries: readonly NodeField[]; readonly newEntry: JsonValue }
  | { readonly kind: 'list'; readonly items: readonly NodeField[]; readonly newItem: JsonValue }
  | { readonly kind: 'either'; readonly options: readonly FormAlternative[] };

/** One of several kinds of values that can stand at a path. */
export type FormAlternative = {
  readonly title: string;
  /** Value when the user chooses this one. */
  readonly initial: JsonValue;
  /** True if the value in the file is of this kind. */
  readonly isChosen: boolean;
  /** Absent: there is nothing more to say than the value itself. */
  readonly control?: FormControl;
};

/** A key that the schema does not have. */
export type UnknownKey = {
  readonly path: readonly PathStep[];
  /** Its value as the file has it. */
  readonly written: string;
};

/** Names that the fields of a form can have. */
export type FormNames = {
  /** The other workflows of the server. */
  readonly workflowIds: readonly string[];
  readonly secrets: readonly { readonly name: string; readonly hosts: readonly string[] }[];
  /** The files of records beside the workflow. */
  readonly tables: readonly TableColumns[];
  /** The profiles for the workflow, with their values of variables. */
  readonly profiles: readonly ProfileVars[];
};
