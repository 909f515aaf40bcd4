// A connection without a request, or with half of one, delayed the stop of a server by four seconds.
import { expect, it } from 'vitest';
import { FakeClock } from '../builders/fake-clock.ts';
import { RawConnection } from '../builders/raw-http.ts';
import { rawGet, startSmallServer } from '../builders/small-server.ts';

it('connections that ask nothing are closed at once, and what is under way is answered', async () => {
  let answer: (() => void) | undefined;
  const handled: string[] = [];
  const server = await startSmallServer(
    async (context) => {
      handled.push(context.path);
      await new Promise<void>((resolve) => (answer = resolve));
      context.body = { success: true, data: {} };
    },
    { clock: new FakeClock() },
  );
  const silent = await RawConnection.open(server.port);
  const half = await RawConnection.open(server.port);
  half.send('GET / HTTP/1.1\r\nHost: 127');
  const asking = await RawConnection.open(server.port);
  asking.send(rawGet(server.port, '/'));
  await expect.poll(() => answer !== undefined).toBe(true);
  // The clock stands still: nothing is given up for having taken too long.
  const closed = server.close();
  expect(await silent.closed()).toBe('');
  expect(await half.closed()).toBe('');
  asking.send(rawGet(server.port, '/late'));
  answer?.();
  expect((await asking.answer())?.status).toBe(200);
  expect(await asking.closed()).toBe('');
  await closed;
  expect(handled).toEqual(['/']);
});

it('an answer in one piece is sent to its end to a reader that is slow', async () => {
  const body = 'x'.repeat(8_000_000);
  const server = await startSmallServer((context) => {
    context.body = body;
  });
  const connection = await RawConnection.open(server.port);
  connection.pause();
  connection.send(rawGet(server.port, '/'));
  const asking = await RawConnection.open(server.port);
  asking.send(rawGet(server.port, '/'));
  expect((await asking.answer())?.body).toHaveLength(body.length);
  const closed = server.close();
  connection.resume();
  expect((await connection.answer())?.body).toHaveLength(body.length);
  await closed;
});
