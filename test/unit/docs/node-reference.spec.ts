import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { itemNames } from '../../../src-main/domain/expressions/scope.ts';
import { nodeTypes } from '../../../src-main/domain/nodes/catalogue.ts';
import { slotsFor } from '../../../src-main/domain/nodes/slots.ts';
import { formattedNodeReference } from '../../builders/formatted-node-reference.ts';

const published = await readFile('docs/guide/nodes.md', 'utf8');

it('the node reference is what `npm run generate` writes today', async () => {
  expect(published).toBe(await formattedNodeReference());
});

it.each(Object.values(nodeTypes))('the node reference explains each key of $type', ({ type, config }) => {
  const section = published.split(`\n## ${type}\n`)[1]?.split('\n## ')[0] ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('|'));
  const explained = rows.flatMap(
    (row) => /^\| (?:\*\*)?`([^`]+)`(?:\*\*)? +\| \S.* \| \S/.exec(row)?.[1] ?? [],
  );
  expect(explained).toEqual(
    expect.arrayContaining(Object.keys(config(slotsFor({ names: itemNames })).shape)),
  );
});
