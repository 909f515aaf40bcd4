// A node type: the keys of its nodes, and its documentation. The forms of the app, the published JSON Schema and the
// reference are generated from it.
import type { z } from 'zod';
import { type JsonObject, type JsonValue, isJsonObject } from '../../base/json-value.ts';
import type { FieldUse } from '../expressions/row-reads.ts';
import type { Value } from '../expressions/value.ts';
import type { CallAuth } from './call-auth.ts';
import type { NodeKey } from './node-keys.ts';
import type { Slots } from './slots.ts';

/** Something doubtful in a node that is otherwise right; the path begins at the node. */
export type NodeDoubt = { readonly message: string; readonly path: readonly (string | number)[] };

/** Targets of nodes' actions, by the kind of the action. */
export type ActionTargets = {
  /** Calls a service outside this program; rows wait for the answer. */
  readonly call: { readonly url: Value; readonly auth?: CallAuth | undefined };
  /** Finds a record in the file `path` by its field `key`. */
  readonly lookup: { readonly path: string; readonly key: string };
  /** Runs another workflow; a node with a body has no target. */
  readonly workflow: { readonly workflowId: string };
};

/** `target`: undefined for a node that has what others name. */
type NodeActionOf<K extends keyof ActionTargets, C> = {
  kind: K;
  target: (config: C) => ActionTargets[K] | undefined;
};

type NodeAction<C> =
  | { [K in keyof ActionTargets]: NodeActionOf<K, C> }[keyof ActionTargets]
  /** `wait`: rows wait for some time. `code`: a body of code computes, maybe for long. */
  | { readonly kind: 'wait' | 'code' };

/** A value that a node has or reads; undefined where only a run could show it. */
export type Sample =
  string | number | boolean | null | undefined | readonly Sample[] | { readonly [key: string]: Sample };

/** Values that the rest of the file, and the files beside it, show without a run. */
type SampleSource = {
  /** Sample of a written value, which may be an expression. */
  readonly sampleOf: (written: JsonValue | undefined) => Sample;
  readonly rows: () => readonly Sample[];
  /** The columns of a file of records; empty if the file is unknown. */
  readonly columnsOf: (table: JsonValue | undefined) => readonly string[];
};

/**
 * How the line of a failure is found. `name`: by a name that the message quotes, then by the main keys. `text`: also by a
 * text of the author that the message repeats. `key`: by the main keys alone.
 */
type FaultSearch = 'name' | 'text' | 'key';

export type ActionKind = NodeAction<never>['kind'];

/** A purpose for which users add a node. The picker of nodes finds it by its words. */
export type NodeIntent = {
  readonly title: string;
  /** One sentence that says what the node does; absent: that of the type. */
  readonly summary?: string;
  /** Words that users search for besides those of the title, separated by blanks. */
  readonly keywords: string;
  /** Keys of the new node besides `id` and `type`: all that it must have. */
  readonly newKeys: JsonObject;
};

export type NodeTypeDefinition<T extends string, C extends z.ZodObject> = {
  readonly type: T;
  /** Two or three words, for menus. */
  readonly title: string;
  /** One sentence that says what the node does. */
  readonly summary: string;
  /** Description of the value of `nodes.<id>` after the node has run. */
  readonly value: string;
  /** A node of this type as it would stand in a file. */
  readonly example: string;
  /** How users ask for such a node; the first entry is the plain one. */
  readonly intents: readonly [NodeIntent, ...NodeIntent[]];
  /** The keys, also inner ones, that a failure without a name of its own is about, the most likely first. */
  readonly mainKeys: readonly string[];
  /** How the line of a failure with this message is found; the message is without the number of an item. */
  readonly faultSearch: (message: string) => FaultSearch;
  /** Samples of the node's value, as its written keys show them, which may be invalid. Empty if only a run shows one. */
  readonly samples: (written: JsonObject, source: SampleSource) => readonly Sample[];
  /** The value of a new mock, for the author to fill in. */
  readonly mockTemplate: JsonObject;
  /**
   * The key in which a new node reads the node before it. If the key of a new node holds names with values, a name is
   * added. Null: the new node only waits for the node before it.
   */
  readonly firstField: string | null;
  /** The kind of value that all expressions of the node must have; null for any. */
  readonly expressionUse: FieldUse | null;
  /** True if all nodes behind it wait for it, since it may keep them from running. */
  readonly isBarrier: boolean;
  /** More about it for the reference, in Markdown; stands behind the table of its keys. */
  readonly notes?: string;
  /** True if the node has an effect even when no other node reads its value. */
  readonly hasEffect: boolean;
  /**
   * The line on the node's card in the graph, made of the node as its author wrote it, which may be invalid. Empty if
   * nothing can be said.
   */
  readonly card: (written: JsonObject) => string;
  /** Keys of every node that make no sense on this one. */
  readonly without?: readonly NodeKey[];
  /** The type's own keys: a strict object of slots and plain schemas. */
  readonly config: (slots: Slots) => C;
  /** Its action besides evaluating expressions; null for none. */
  readonly action: NodeAction<z.output<C>> | null;
  /** Warnings about a valid configuration, for its author. */
  readonly doubts?: (config: z.output<C>) => readonly NodeDoubt[];
};

export const defineNodeType = <const T extends string, C extends z.ZodObject>(
  definition: NodeTypeDefinition<T, C>,
): NodeTypeDefinition<T, C> => definition;

// Texts for the cards of nodes, made of values as their author wrote them.

/** A text, number or truth value as text; empty for any other value. */
export const cardText = (value: JsonValue | undefined): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';

/** The names of an object, in the order of the file, or the expression that gives it; empty for any other value. */
export const cardNames = (value: JsonValue | undefined): string =>
  isJsonObject(value) ? Object.keys(value).join(', ') : typeof value === 'string' ? value : '';
