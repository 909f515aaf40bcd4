// A reader that took nothing kept its rows in memory for as long as its connection stood.
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { writeSlices } from '../../src-main/http/write-out.ts';
import { FakeClock } from '../builders/fake-clock.ts';

class FullConnection extends EventEmitter {
  destroyed = false;
  taken = 0;
  write(bytes: Uint8Array): boolean {
    this.taken += bytes.length;
    return false;
  }
  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

it('a client that reads nothing gets one slice of the output and is then disconnected', async () => {
  const clock = new FakeClock();
  const connection = new FullConnection();
  const response = connection as unknown as ServerResponse;
  const written = writeSlices(response, new Uint8Array(40_000_000), { clock, ms: 30_000 });
  expect(connection.taken).toBe(256 * 1024);
  connection.emit('drain');
  await Promise.resolve();
  clock.advance(30_000);
  await written;
  expect(connection.destroyed).toBe(true);
  expect(connection.taken).toBeLessThan(1_000_000);
});
