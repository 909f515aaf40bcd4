import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { endTogether } from '../../../src-main/http/end-together.ts';

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

it('sends answers after everything else of their turn, and all of each', async () => {
  const order: string[] = [];
  const owed: Parameters<RequestListener>[1][] = [];
  const port = await serve((_request, response) => {
    owed.push(response);
    if (owed.length < 2) return;
    owed.forEach((each, index) => {
      // Bytes of an answer leave with its head, which is made when it ends.
      each.once('prefinish', () => order.push(`sent ${index}`));
      endTogether(each, `grüße ${index}`);
      order.push(`made ${index}`);
      process.nextTick(() => void Promise.resolve().then(() => order.push(`still the same turn ${index}`)));
    });
  });
  const ask = async () => (await fetch(`http://127.0.0.1:${port}`)).text();
  expect((await Promise.all([ask(), ask()])).sort()).toEqual(['grüße 0', 'grüße 1']);
  expect(order).toEqual([
    'made 0',
    'made 1',
    'still the same turn 0',
    'still the same turn 1',
    'sent 0',
    'sent 1',
  ]);
});

it.each(['in the turn in which its answer is ready', 'before'])(
  'minds nothing when the client has gone %s, and answers the next',
  async (when) => {
    const port = await serve((request, response) => {
      if (request.url !== '/gone') return endTogether(response, 'there');
      if (when === 'before') response.once('close', () => endTogether(response, 'nobody reads it'));
      else endTogether(response, 'nobody reads it');
      request.socket.destroy();
    });
    const first = connect(port, '127.0.0.1').resume();
    first.write('GET /gone HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(first, 'close');
    expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe('there');
  },
);

it('leaves an answer alone that somebody else has ended', async () => {
  const port = await serve((_request, response) => {
    endTogether(response, 'too late');
    response.end('first');
  });
  expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe('first');
});
