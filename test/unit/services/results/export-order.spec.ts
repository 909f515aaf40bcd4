import { expect, it } from 'vitest';
import type { JsonObject } from '../../../../src-main/base/json-value.ts';
import { ExportOrder } from '../../../../src-main/services/results/export-order.ts';
import type { ResultRow } from '../../../../src-main/services/results/latest-rows.ts';
import { seededRandom } from '../../../builders/seeded-random.ts';

const random = seededRandom(21);
const rows = Array.from({ length: 500 }, (_, index) => ({
  number: index + 1,
  output: { size: Math.floor(random() * 40), team: ['red', 'green', 'blue'][Math.floor(random() * 3)] ?? '' },
}));

const lineOf = (output: JsonObject): Uint8Array => Buffer.from(JSON.stringify(output));

/** Numbers of the rows in order, and how often they were read. */
async function arranged(selection: ConstructorParameters<typeof ExportOrder>[0], maxBytes?: number) {
  const order = new ExportOrder(selection, maxBytes);
  let readings = 0;
  async function* read(): AsyncGenerator<ResultRow> {
    readings += 1;
    for (const { number, output } of rows) yield await Promise.resolve({ number, output: lineOf(output) });
  }
  for (const row of rows) order.add(row, lineOf(row.output).length);
  const numbers: number[] = [];
  for await (const { number } of order.arrange(read)) numbers.push(number);
  return { numbers, readings };
}

const sort = { column: { of: 'output', name: 'size' }, descending: false } as const;

it.each([1, 1_000, 4_000, undefined])('rows are in order with %s bytes in memory', async (maxBytes) => {
  const expected = rows.toSorted((one, other) => one.output.size - other.output.size);
  const { numbers, readings } = await arranged({ sort }, maxBytes);
  expect(numbers).toEqual(expected.map(({ number }) => number));
  expect(readings).toBe(maxBytes === 1 ? 500 : maxBytes === undefined ? 1 : readings);
});

it('rows of a group are together, the largest group first, and sorted within', async () => {
  const { numbers } = await arranged({ sort, groupBy: { of: 'output', name: 'team' } }, 5_000);
  const teamOf = (number: number): string => rows[number - 1]?.output.team ?? '';
  const teams = [...new Set(numbers.map(teamOf))];
  const sizes = teams.map((team) => rows.filter(({ output }) => output.team === team).length);
  expect(sizes).toEqual(sizes.toSorted((one, other) => other - one));
  expect(numbers).toEqual(
    teams.flatMap((team) =>
      rows
        .filter(({ output }) => output.team === team)
        .toSorted((one, other) => one.output.size - other.output.size)
        .map(({ number }) => number),
    ),
  );
});
