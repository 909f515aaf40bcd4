import { expect, it } from 'vitest';
import { ReleasedBuffers } from '../../../src-main/storage/sqlite/released-buffers.ts';

const bufferBytes = (): number => process.memoryUsage().arrayBuffers;

/** Counts so many buffers of 100 KB that nothing refers to afterwards. Returns the bytes in buffers then. */
function release(buffers: number, released: ReleasedBuffers): number {
  for (let n = 0; n < buffers; n += 1) released.count([new ArrayBuffer(100_000)]);
  return bufferBytes();
}

it('memory of released buffers is freed each time that they reach the bound', () => {
  const before = bufferBytes();
  const after = release(2000, new ReleasedBuffers(1_000_000));
  expect(after - before).toBeLessThan(3_000_000);
});
