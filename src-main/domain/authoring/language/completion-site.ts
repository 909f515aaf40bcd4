// Input and results of completions.
import type { JsonValue } from '../../../base/json-value.ts';
import type { Caret } from './caret.ts';
import type { LanguageContext } from './language-context.ts';
import type { FileSchema } from './schema-at.ts';

export type Completion = {
  readonly label: string;
  /** Short note behind the label, such as a type. */
  readonly detail?: string;
  readonly info?: string;
  /** Text to insert, if it is not the label. */
  readonly insert?: string;
  /** Offset at which its insert begins to replace text, if not at that of all. */
  readonly from?: number;
};

export type Completions = {
  /** Where the text to be replaced begins. It ends at the offset. */
  readonly from: number;
  /** Best first. */
  readonly options: readonly Completion[];
};

/** A name that can stand at the caret. */
export type KnownName = Pick<Completion, 'detail' | 'info'> & { readonly name: string };

/** Input of completions. */
export type CompletionSite = {
  readonly caret: Caret;
  readonly schema: FileSchema;
  /** The workflow as data: of the file itself, or of the one that is tested. */
  readonly workflow: JsonValue;
  readonly isTests: boolean;
  readonly context: LanguageContext;
  readonly offset: number;
};
