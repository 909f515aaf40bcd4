import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createControlClient } from '../../../src-main/app/control-client.ts';
import type { Handlers } from '../../../src-main/contract/index.ts';
import { moveNotAllowed } from '../../../src-main/domain/run-errors.ts';
import { createControlToken } from '../../../src-main/http/control-api/control-token.ts';
import { FakeClock } from '../../builders/fake-clock.ts';
import { controlApiWith, controlToken as token } from '../../builders/small-control.ts';
import { startSmallServer } from '../../builders/small-server.ts';

async function startControl(handlers: Partial<Handlers>): Promise<string> {
  const server = await startSmallServer(controlApiWith(handlers));
  onTestFinished(() => server.close());
  return server.url;
}

/** Something else that took the port. */
async function startStranger(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  onTestFinished(() => void server.close(() => undefined).closeAllConnections());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('the control client', () => {
  it('gives what the procedure answers', async () => {
    const url = await startControl({ 'key.list': async () => [] });
    expect(await createControlClient({ url, token })('key.list', {})).toEqual([]);
  });

  it('throws the error that the server threw', async () => {
    const url = await startControl({
      'run.pause': async () => {
        throw moveNotAllowed('completed', 'pause');
      },
    });
    const call = createControlClient({ url, token })('run.pause', { runId: 'x' });
    await expect(call).rejects.toMatchObject({
      code: 'move_not_allowed',
      message: 'A completed run cannot be paused',
    });
  });

  it('throws the refusal of a token that is not the server’s', async () => {
    const url = await startControl({});
    const call = createControlClient({ url, token: createControlToken() })('key.list', {});
    await expect(call).rejects.toMatchObject({ code: 'invalid_key', message: 'Invalid control token' });
  });

  it('says so when no server listens any more', async () => {
    const server = await startSmallServer(controlApiWith());
    await server.close();
    const call = createControlClient({ url: server.url, token })('key.list', {});
    await expect(call).rejects.toMatchObject({ code: 'data_folder_locked' });
    await expect(call).rejects.toThrow(
      `A Rowbench at ${server.url} holds the data folder but does not answer`,
    );
  });

  it.each([
    ['a page', '<html>'],
    ['other JSON', '{"ok":true}'],
    ['no object', 'null'],
  ])('takes %s for no answer', async (_, text) => {
    const url = await startStranger((_request, response) => void response.end(text));
    const call = createControlClient({ url, token })('key.list', {});
    await expect(call).rejects.toMatchObject({ code: 'data_folder_locked' });
  });

  it('gives up on a server that never answers', async () => {
    const clock = new FakeClock();
    const seen = vi.fn();
    const url = await startStranger(seen);
    const call = createControlClient({ url, token, clock, timeoutMs: 5000 })('key.list', {});
    const outcome = expect(call).rejects.toThrow(`The Rowbench at ${url} did not answer within 5 s`);
    await vi.waitFor(() => expect(seen).toHaveBeenCalled());
    clock.advance(5000);
    await outcome;
  });
});
