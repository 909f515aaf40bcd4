import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { nodeTypeNames } from '../../../../src-main/domain/nodes/catalogue.ts';
import { workflowJsonSchema } from '../../../../src-main/domain/workflow/workflow-schema.ts';

describe('the published schema of a workflow file', () => {
  it('is what `npm run generate` writes today', async () => {
    const published: unknown = JSON.parse(await readFile('docs/workflow.schema.json', 'utf8'));
    expect(published).toEqual(JSON.parse(JSON.stringify(workflowJsonSchema())));
  });

  it('explains every key that an author can write', () => {
    const keys = Object.entries(propertiesIn(workflowJsonSchema()));
    expect(keys.map(([path]) => path)).toEqual(
      expect.arrayContaining(['nodes[].when', 'nodes[].cases[].value']),
    );
    expect(keys.filter(([, description]) => description === undefined)).toEqual([]);
  });

  it('marks what JSON Schema has no words for, such as expressions', () => {
    const http = propertyOf(workflowJsonSchema(), 'nodes', 'http');
    expect(propertyOf(http, 'when')).toMatchObject({ 'x-rowbench': 'expression' });
    expect(propertyOf(http, 'request', 'url')).toMatchObject({ 'x-rowbench': 'text' });
    expect(propertyOf(http, 'request', 'headers')).toMatchObject({ 'x-rowbench': 'values' });
    const { anyOf: auths } = propertyOf(http, 'auth') as { readonly anyOf: readonly object[] };
    expect(propertyOf(auths[0], 'secret')).toMatchObject({ 'x-rowbench': 'secret' });
  });

  it('has a titled form for each node type', () => {
    const schema = JSON.stringify(workflowJsonSchema());
    for (const type of nodeTypeNames) expect(schema).toContain(`"const":"${type}"`);
  });
});

/** Every property by its path, with its description. */
function propertiesIn(schema: unknown, path = ''): Record<string, unknown> {
  if (typeof schema !== 'object' || schema === null) return {};
  const { properties, items, oneOf, anyOf } = schema as Record<string, unknown>;
  const found: Record<string, unknown> = {};
  for (const [key, property] of Object.entries(properties ?? {})) {
    const at = path === '' ? key : `${path}.${key}`;
    found[at] = (property as { description?: string }).description;
    Object.assign(found, propertiesIn(property, at));
  }
  Object.assign(found, propertiesIn(items, `${path}[]`));
  for (const choice of [oneOf, anyOf].flat()) Object.assign(found, propertiesIn(choice, path));
  return found;
}

/** The schema of a property; of a list of nodes, the schema of the type that the last name says. */
function propertyOf(schema: unknown, ...names: readonly string[]): unknown {
  const [name = '', ...rest] = names;
  const { properties } = schema as { readonly properties: Readonly<Record<string, unknown>> };
  const property = properties[name];
  const { items } = property as { readonly items?: { readonly oneOf?: readonly object[] } };
  if (items?.oneOf !== undefined)
    return items.oneOf.find((each) => JSON.stringify(each).includes(`"const":"${rest[0] ?? ''}"`));
  return rest.length === 0 ? property : propertyOf(property, ...rest);
}
