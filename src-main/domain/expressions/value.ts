// Values in a workflow file, after parsing: literals, expressions, templates, objects and lists. They are plain data,
// and go to the row worker as they are.
import type { JsonValue } from '../../base/json-value.ts';
import type { rowReads } from './row-reads.ts';

/** Where something stands in the workflow file; both from 1. */
export type Position = { readonly line: number; readonly column: number };

/**
 * JavaScript written by the author: an expression, or the body of a function (`code` nodes). Checked: an expression
 * is one whole expression (evaluate it in parentheses, it may be `a, b` or `{ a }`), a body is whole statements.
 * Evaluate a body in a block of its own inside the function, because it may declare an `item` or a `row` itself.
 */
export type Expression = {
  readonly kind: 'expression' | 'body';
  /** As written, for messages. */
  readonly source: string;
  /**
   * The same program, safe to hand to the compartment: literals and comments that only look like `import(`,
   * `eval(` or an HTML comment are respelled so that the compartment does not refuse them.
   */
  readonly safeSource: string;
  /** Ids of the nodes that it reads through `nodes.<id>`. */
  readonly nodeRefs: readonly string[];
  /** Its reads of the row, as far as its text shows them: for sample rows. */
  readonly rowReads: ReturnType<typeof rowReads>;
  /** True if the body awaits a promise. */
  readonly isAsync: boolean;
  /** True if the code may make promises, whose jobs run after it has returned. */
  readonly makesPromises: boolean;
  /** Only in the URL of a call, where something of it matters there. */
  readonly inUrl?: InUrl;
};

/** Facts about the URL that an expression makes, as its syntax shows them. */
export type InUrl = {
  /** The expression is a url`…`, and this text stands before its first value: the whole origin, and more. */
  readonly start?: string;
  /** `unencoded`: text is put together with values of the row; `encodedTwice`: url`…` encodes what is encoded already. */
  readonly doubt?: 'unencoded' | 'encodedTwice';
};

/** Text with expressions filled in. The text parts are data and never become code. */
export type Template = { readonly kind: 'template'; readonly parts: readonly (string | Expression)[] };

/** Shape, not quoting, decides: `=…` is an expression, `{{ … }}` a template, anything else literal. */
export type Value =
  | { readonly kind: 'literal'; readonly value: JsonValue }
  | Expression
  | Template
  | { readonly kind: 'object'; readonly entries: readonly (readonly [string, Value])[] }
  | { readonly kind: 'list'; readonly items: readonly Value[] };
