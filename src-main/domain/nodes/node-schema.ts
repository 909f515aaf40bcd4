import { z } from 'zod';
import { errorName, itemNames, rowNames, type Scope, type WorkflowScope } from '../expressions/scope.ts';
import { nodeTypes, type NodeType } from './catalogue.ts';
import { nodeId, nodeKeys, type NodeKey } from './node-keys.ts';
import { slotsFor, type Slots } from './slots.ts';

type Options = {
  /** True if the node runs once for each item of a list. */
  readonly hasEach: boolean;
  /** The workflow of the node that is parsed: another one each time. Absent for the published schema. */
  readonly around?: () => WorkflowScope;
};

type Keys = ReturnType<typeof nodeKeys>;

/** Schema of a node as far as all types share it; each type adds keys of its own. */
export type NodeSchema = z.ZodObject<
  { id: typeof nodeId; type: z.ZodLiteral<NodeType> } & Keys,
  z.core.$strict
>;

/** One node of a type as it stands in a file: its id and type, the keys of every node, the type's own keys. */
export function nodeSchema(type: NodeType, { hasEach, around = () => ({}) }: Options): NodeSchema {
  const names = hasEach ? itemNames : rowNames;
  const slots = (known: readonly string[]): Slots => slotsFor(scopeOf(known, around));
  return schemaWithSlots(type, {
    every: slots(rowNames),
    own: slots(names),
    onError: slots([...names, errorName]),
  });
}

const scopeOf = (names: readonly string[], around: () => WorkflowScope): Scope => ({
  names,
  get nodeIds() {
    return around().nodeIds;
  },
  get outerIds() {
    return around().outerIds;
  },
  get vars() {
    return around().vars;
  },
});

/** @param slots for the keys of every node, for the type's own keys, and for the value of `onError` */
export function schemaWithSlots(
  type: NodeType,
  slots: { readonly every: Slots; readonly own: Slots; readonly onError: Slots },
): NodeSchema {
  const definition = nodeTypes[type];
  const every = nodeKeys(slots.every, slots.onError);
  const own: z.ZodObject = definition.config(slots.own);
  return z.strictObject({
    id: nodeId,
    type: z.literal(type).describe(definition.summary),
    ...withoutKeys(every, 'without' in definition ? definition.without : []),
    ...own.shape,
  });
}

/** Every key may be absent from a node, so a schema that refuses some still gives nodes of the same type. */
function withoutKeys(keys: Keys, left: readonly NodeKey[]): Keys {
  const remaining: Partial<Keys> = { ...keys };
  for (const key of left) delete remaining[key];
  return remaining as Keys;
}
