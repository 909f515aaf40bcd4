// A node type: the keys of its nodes, and its documentation. The forms of the app, the published JSON Schema and the
// reference are generated from it.
import type { z } from 'zod';
import type { NodeKey } from './node-keys.ts';
import type { Slots } from './slots.ts';

/** Something doubtful in a node that is otherwise right; the path begins at the node. */
export type NodeDoubt = { readonly message: string; readonly path: readonly (string | number)[] };

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
  /** More about it for the reference, in Markdown; stands behind the table of its keys. */
  readonly notes?: string;
  /** Whether it does something even when no other node reads it. */
  readonly hasEffect: boolean;
  /** Whether it calls something outside this program. */
  readonly reachesOut?: true;
  /** Keys of every node that make no sense on this one. */
  readonly without?: readonly NodeKey[];
  /** The type's own keys: a strict object of slots and plain schemas. */
  readonly config: (slots: Slots) => C;
  /** Warnings about a valid configuration, for its author. */
  readonly doubts?: (config: z.output<C>) => readonly NodeDoubt[];
};

export const defineNodeType = <const T extends string, C extends z.ZodObject>(
  definition: NodeTypeDefinition<T, C>,
): NodeTypeDefinition<T, C> => definition;
