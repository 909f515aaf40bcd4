import { expect, it } from 'vitest';
import { nodeTypeNames, nodeTypes } from '../../../../src-main/domain/nodes/catalogue.ts';
import { defineNodeType } from '../../../../src-main/domain/nodes/node-type.ts';
import { setNode } from '../../../../src-main/domain/nodes/set.ts';

// `npm run check:types` reports each directive below whose line compiles.
it('a node type without one of its members does not compile', () => {
  const { faultSearch, samples, mockTemplate, firstField, expressionUse, isBarrier, ...others } = setNode;
  const members = { faultSearch, samples, mockTemplate, firstField, expressionUse, isBarrier };
  expect(defineNodeType({ ...others, ...members })).toEqual(setNode);
  // @ts-expect-error the line of a failure
  defineNodeType({ ...others, samples, mockTemplate, firstField, expressionUse, isBarrier });
  // @ts-expect-error samples for the editor's help
  defineNodeType({ ...others, faultSearch, mockTemplate, firstField, expressionUse, isBarrier });
  // @ts-expect-error the value of a new mock
  defineNodeType({ ...others, faultSearch, samples, firstField, expressionUse, isBarrier });
  // @ts-expect-error the field that reads the node before it
  defineNodeType({ ...others, faultSearch, samples, mockTemplate, expressionUse, isBarrier });
  // @ts-expect-error the kind of value of its expressions
  defineNodeType({ ...others, faultSearch, samples, mockTemplate, firstField, isBarrier });
  // @ts-expect-error the order of calls
  defineNodeType({ ...others, faultSearch, samples, mockTemplate, firstField, expressionUse });
});

it.each(nodeTypeNames)('a new node of type %s has the field that reads the node before it', (type) => {
  const { firstField, intents } = nodeTypes[type];
  if (firstField !== null) expect(intents[0].newKeys).toHaveProperty(firstField);
});
