import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { RowPiece } from '../../../src-main/domain/run/row-numbers.ts';
import { outputPieces } from '../../../src-main/services/output-pieces.ts';
import { outputText } from '../../../src-main/services/output-text.ts';

async function* of(...texts: readonly Uint8Array[]): AsyncGenerator<RowPiece> {
  for (const bytes of texts) yield await Promise.resolve({ firstRow: 1, bytes });
}

async function joined(parts: AsyncIterable<string | Uint8Array>): Promise<string> {
  const read: Buffer[] = [];
  for await (const part of parts) read.push(Buffer.from(part as Uint8Array));
  return Buffer.concat(read).toString();
}

const line = fc.constantFrom('', '{}', '{"a":"é"}', '{"n":[1,2]}');

it.each(['json', 'ndjson'] as const)('%s is the same, wherever its lines are cut', async (format) => {
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 6 }), fc.array(fc.nat(60)), async (lines, offsets) => {
      const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(''));
      const cuts = [0, ...offsets.filter((at) => at < bytes.length).toSorted((a, b) => a - b), bytes.length];
      const pieces = cuts.slice(1).map((to, index) => bytes.subarray(cuts[index], to));
      expect(await joined(outputPieces(of(...pieces), format))).toBe(
        await joined(outputText(of(bytes), format)),
      );
    }),
    { numRuns: 60 },
  );
});
