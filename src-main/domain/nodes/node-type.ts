// A node type: the keys of its nodes, and its documentation. The forms of the app, the published JSON Schema and the
// reference are generated from it.
import type { z } from 'zod';
import type { JsonObject } from '../../base/json-value.ts';
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
  /** Runs another workflow. */
  readonly workflow: { readonly workflowId: string };
};

type NodeAction<C> =
  | { [K in keyof ActionTargets]: { kind: K; target: (config: C) => ActionTargets[K] } }[keyof ActionTargets]
  /** `wait`: rows wait for some time. `code`: a body of code computes, maybe for long. */
  | { readonly kind: 'wait' | 'code' };

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
  /** Keys of a new node besides `id` and `type`: all that it must have. */
  readonly newKeys: JsonObject;
  /** The keys, also inner ones, that a failure without a name of its own is about, the most likely first. */
  readonly mainKeys: readonly string[];
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
