import { describe, expect, it } from 'vitest';
import { deferred } from '../../../src-main/base/deferred.ts';
import { silentLog } from '../../../src-main/base/log.ts';
import { type RowLines, rowId } from '../../../src-main/domain/run/row-numbers.ts';
import { streamOutput } from '../../../src-main/http/public-api/stream-output.ts';
import { RawConnection, rawCall } from '../../builders/raw-http.ts';
import { rawGet, startSmallServer } from '../../builders/small-server.ts';

const runId = '0197a0c2-0000-7000-8000-0123456789ab';

/** A server whose every answer is the output made of the given lines. */
const serve = (lines: () => AsyncGenerator<RowLines>, seen?: (piece: Buffer) => void) =>
  startSmallServer(async (context) => {
    context.respond = false;
    await streamOutput(context.res, {
      runId,
      lines: lines(),
      log: silentLog,
      ...(seen === undefined ? {} : { seen }),
    });
  });

const batch = (firstRow: number, ...lines: string[]): RowLines => ({
  firstRow,
  bytes: Buffer.from(lines.map((line) => `${line}\n`).join('')),
});

describe('a streamed output', () => {
  it('is one JSON object over all batches', async () => {
    const server = await serve(async function* () {
      yield batch(1, '');
      yield batch(2, '{"a":1}', '{"a":2}');
      yield batch(4, '{"a":3}');
    });
    const response = await fetch(server.url);
    expect(await response.json()).toEqual({
      success: true,
      data: { [rowId(runId, 2)]: { a: 1 }, [rowId(runId, 3)]: { a: 2 }, [rowId(runId, 4)]: { a: 3 } },
    });
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    await server.close();
  });

  it('of no rows is an empty object', async () => {
    const server = await serve(async function* () {});
    expect(await (await fetch(server.url)).json()).toEqual({ success: true, data: {} });
    await server.close();
  });

  it('that cannot be read at all is a 500 in the envelope', async () => {
    const server = await serve(async function* () {
      yield await Promise.reject(new Error('no such file /home/x/outputs.ndjson'));
    });
    const answer = await rawCall(server.port, rawGet(server.port, '/'));
    expect(answer?.status).toBe(500);
    expect(answer?.body).not.toContain('/home');
    await server.close();
  });

  it('that breaks before anything of it was sent is a 500 too', async () => {
    const server = await serve(async function* () {
      yield batch(1, '{"a":1}');
      throw new Error('disk gone');
    });
    const answer = await rawCall(server.port, rawGet(server.port, '/'));
    expect([answer?.status, answer?.body]).toEqual([500, expect.not.stringContaining('"a":1')]);
    await server.close();
  });

  it('that is small comes in one piece of a known length, and a large one in chunks', async () => {
    const server = await serve(async function* () {
      yield batch(1, '{"a":1}', '{"a":2}');
      yield batch(3, '{"a":3}');
    });
    const small = await fetch(server.url);
    expect(Number(small.headers.get('content-length'))).toBe((await small.text()).length);
    await server.close();
    const line = JSON.stringify({ a: 'x'.repeat(100_000) });
    const other = await serve(async function* () {
      yield batch(1, line);
    });
    const large = await fetch(other.url);
    expect(large.headers.get('content-length')).toBeNull();
    expect(JSON.stringify(Object.values(((await large.json()) as { data: object }).data)[0])).toBe(line);
    await other.close();
  });

  it('is sent to clients as it was committed, byte for byte and not before', async () => {
    let seen = '';
    const large = JSON.stringify({ a: 'x'.repeat(100_000) });
    const seenBefore: number[] = [];
    const server = await serve(
      async function* () {
        seenBefore.push(seen.length);
        yield batch(1, '{"a":1}');
        seenBefore.push(seen.length);
        yield batch(2, large);
      },
      (piece) => (seen += piece.toString()),
    );
    const whole = await (await fetch(server.url)).text();
    expect(seen).toBe(whole);
    expect(seenBefore).toEqual([0, 0]);
    await server.close();
  });

  it('of which nothing was sent is shown to no client', async () => {
    let seen = 0;
    const server = await serve(
      async function* () {
        yield batch(1, '{"a":1}');
        throw new Error('disk gone');
      },
      ({ length }) => (seen += length),
    );
    expect((await fetch(server.url)).status).toBe(500);
    expect(seen).toBe(0);
    await server.close();
  });

  it('that breaks half-way is broken off, so that no client takes it for whole', async () => {
    const server = await serve(async function* () {
      yield batch(1, JSON.stringify({ a: 'x'.repeat(100_000) }));
      yield batch(2, '{"a":1}');
      throw new Error('disk gone');
    });
    await expect(fetch(server.url).then((response) => response.text())).rejects.toThrow();
    await server.close();
  });

  it('is read no further than the client reads, and no more once it has gone', async () => {
    const line = JSON.stringify({ a: 'x'.repeat(100_000) });
    const ended = deferred();
    let read = 0;
    const server = await serve(async function* () {
      try {
        for (; read < 1000; read += 1) yield batch(read + 1, line);
      } finally {
        ended.resolve();
      }
    });
    const connection = await RawConnection.open(server.port);
    connection.pause();
    connection.send(rawGet(server.port, '/'));
    await expect.poll(() => read).toBeGreaterThan(0);
    // As far as the buffers of both sides reach: some megabytes of the hundred.
    await expect.poll(async () => settled(() => read)).toBe(true);
    expect(read).toBeLessThan(200);
    connection.cut();
    await ended.promise;
    await server.close();
  });
});

/** True if the number stays the same for 50 turns of the event loop. */
async function settled(value: () => number): Promise<boolean> {
  const before = value();
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  return value() === before;
}
