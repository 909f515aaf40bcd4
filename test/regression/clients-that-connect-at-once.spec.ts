// Many clients connected at once: all except the last 192 were reset before they had sent their first request.
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FakeClock } from '../builders/fake-clock.ts';
import { RawConnection, rawCall } from '../builders/raw-http.ts';
import { rawGet, startSmallServer } from '../builders/small-server.ts';
import { sampleWorkflows, startTestApp, workflowPath } from '../builders/start-test-app.ts';

/** Connections that are served at once. */
const served = 256;
/** Open connections above which silent ones make room. */
const crowded = 448;

/** The first answer's status and headers on one client's connection, and any socket error. */
type Outcome = { readonly status: number | undefined; readonly headers: string; readonly error: string };

type Client = {
  send(text: string): void;
  /** Resolves once an answer is there, or the connection has ended. */
  readonly answered: Promise<void>;
  /** Resolves once the connection has ended. */
  readonly ended: Promise<Outcome>;
  cut(): void;
};

/** A client that keeps its own side open after the server has closed, as one does that is still sending. */
function openClient(port: number): Promise<Client> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    let text = '';
    let error = '';
    let isAnswered: () => void = () => undefined;
    const answered = new Promise<void>((done) => (isAnswered = done));
    const ended = new Promise<Outcome>((done) => {
      socket.on('data', (bytes) => {
        text += bytes.toString('latin1');
        if (/\r\n\r\n.*\}$/s.test(text)) isAnswered();
      });
      socket.on('end', () => socket.end());
      socket.on('error', (cause: NodeJS.ErrnoException) => {
        error = cause.code ?? cause.message;
        reject(cause);
      });
      socket.on('close', () => {
        isAnswered();
        const status = /^HTTP\/1\.1 (\d+)/.exec(text)?.[1];
        done({
          status: status === undefined ? undefined : Number(status),
          headers: text.split('\r\n\r\n')[0] ?? '',
          error,
        });
      });
    });
    socket.on('connect', () =>
      resolve({
        send: (bytes) => void socket.write(bytes, 'latin1'),
        answered,
        ended,
        cut: () => void socket.destroy(),
      }),
    );
    onTestFinished(() => void socket.destroy());
  });
}

/** Resolves once the server has taken all of them: a later connection, which comes after them, was answered. */
async function openClients(count: number, port: number): Promise<Client[]> {
  const clients = await Promise.all(Array.from({ length: count }, () => openClient(port)));
  const last = await RawConnection.open(port);
  last.send(rawGet(port, '/', ['Connection: close']));
  await last.closed();
  return clients;
}

const body = JSON.stringify({ rows: [{ text: 'x'.repeat(20_000) }] });

async function startApp() {
  const app = await startTestApp({
    workflows: { echo: sampleWorkflows.echo },
    limits: 'off',
  });
  onTestFinished(() => app.close());
  const head = (more = ''): string =>
    `POST ${workflowPath('echo')} HTTP/1.1\r\nHost: 127.0.0.1:${app.port}\r\nx-service-key: ${app.key}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n${more}\r\n`;
  return { app, head };
}

const countOf = (outcomes: readonly Outcome[], status: number | undefined): number =>
  outcomes.filter((outcome) => outcome.status === status).length;

/** Each client has one whole answer and no reset; the refusals say when to come back. */
function expectAnswers(outcomes: readonly Outcome[], accepted: number): void {
  expect(outcomes.filter(({ error }) => error !== '')).toEqual([]);
  expect([countOf(outcomes, 201), countOf(outcomes, 503)]).toEqual([accepted, outcomes.length - accepted]);
  for (const { headers } of outcomes.filter(({ status }) => status === 503)) {
    expect(headers).toMatch(/^Connection: close$/im);
    expect(headers).toMatch(/^Retry-After: \d+$/im);
    expect(headers).toMatch(/^Content-Type: application\/json/im);
    expect(headers).toMatch(/^X-Content-Type-Options: nosniff$/im);
  }
}

describe('clients that connect at once and trigger a run each', { timeout: 60_000 }, () => {
  it.each([
    [256, 'with the body behind the head', (head: string) => [head + body]],
    [256, 'with the body after a moment', (head: string) => [head, body]],
    [256, 'with the body in two pieces', (head: string) => [head + body.slice(0, 9), body.slice(9)]],
  ])('are all answered: %d %s', async (count, _, piecesOf) => {
    const { app, head } = await startApp();
    const clients = await openClients(count, app.port);
    // All of them stand, and none has said a word; then all speak, piece by piece.
    for (const piece of piecesOf(head('Connection: close\r\n'))) {
      for (const client of clients) client.send(piece);
      await app.handlers['run.list']({ limit: 50 });
    }
    expectAnswers(await Promise.all(clients.map(({ ended }) => ended)), count);
    expect(await app.handlers['run.list']({ limit: 1_000 })).toHaveLength(count);
  });

  it.each([300, 400])('are served up to 256 and refused cleanly beyond: %d', async (count) => {
    const { app, head } = await startApp();
    const clients = await openClients(count, app.port);
    // Every head arrives before any body does, so that no place becomes free meanwhile.
    for (const client of clients) client.send(head('Connection: close\r\n'));
    const refused = clients.slice(served).map(({ answered }) => answered);
    await Promise.all(refused);
    for (const client of clients) client.send(body);
    expectAnswers(await Promise.all(clients.map(({ ended }) => ended)), served);
    expect(await app.handlers['run.list']({ limit: 1_000 })).toHaveLength(served);
  });

  it('are refused cleanly though they send a whole body at once', async () => {
    const { app, head } = await startApp();
    const clients = await openClients(400, app.port);
    for (const client of clients.slice(0, served)) client.send(head('Connection: close\r\n'));
    await expect.poll(async () => (await rawCall(app.port, rawGet(app.port, '/')))?.status).toBe(503);
    for (const client of clients.slice(served)) client.send(head() + body);
    const late = await Promise.all(clients.slice(served).map(({ ended }) => ended));
    expectAnswers(late, 0);
    for (const client of clients.slice(0, served)) client.send(body);
    expectAnswers(await Promise.all(clients.slice(0, served).map(({ ended }) => ended)), served);
  });

  it('find places again once others have gone', async () => {
    const { app, head } = await startApp();
    const clients = await openClients(300, app.port);
    for (const client of clients) client.send(head('Connection: close\r\n'));
    await Promise.all(clients.slice(served).map(({ answered }) => answered));
    for (const client of clients) client.send(body);
    await Promise.all(clients.map(({ ended }) => ended));
    const [next] = await openClients(1, app.port);
    next?.send(head('Connection: close\r\n') + body);
    expect((await next?.ended)?.status).toBe(201);
  });
});

describe('connections', () => {
  /** Answers are given at the word, so that a test decides what is under way. */
  async function start(clock = new FakeClock()) {
    const gates: (() => void)[] = [];
    const server = await startSmallServer(
      async (context) => {
        if (context.path === '/wait') await new Promise<void>((resolve) => gates.push(resolve));
        context.body = { success: true, data: {} };
      },
      { clock },
    );
    onTestFinished(async () => {
      for (const answer of gates) answer();
      await server.close();
    });
    return { server, gates, clock };
  }

  it('that rest between two requests are kept up to 192, and none of them is reset', async () => {
    const { server } = await start();
    const clients = await Promise.all(Array.from({ length: 250 }, () => RawConnection.open(server.port)));
    let idle = 0;
    for (const client of clients) {
      client.send(rawGet(server.port, '/'));
      const answer = await client.answer();
      expect(answer?.status).toBe(200);
      if (answer?.headers['connection'] === 'keep-alive') idle += 1;
      else expect(await client.closed()).toBe('');
    }
    expect(idle).toBe(192);
    // Those that were kept are asked again while others come.
    const newer = await Promise.all(Array.from({ length: 64 }, () => RawConnection.open(server.port)));
    for (const client of [...clients.slice(0, idle), ...newer]) client.send(rawGet(server.port, '/'));
    for (const client of [...clients.slice(0, idle), ...newer])
      expect((await client.answer())?.status).toBe(200);
  });

  it('on one address take no place on the other', async () => {
    const { server, gates } = await start();
    const busy = await openClients(served, server.port);
    for (const client of busy) client.send(rawGet(server.port, '/wait'));
    await expect.poll(() => gates.length).toBe(served);
    expect((await rawCall(server.port, rawGet(server.port, '/')))?.status).toBe(503);
    const other = await RawConnection.open(server.port, '::1');
    other.send(rawGet(server.port, '/'));
    expect((await other.answer())?.status).toBe(200);
  });

  it('that send nothing make room where there are very many, by an answer and not by a reset', async () => {
    const { server, clock } = await start();
    const silent = await openClients(crowded, server.port);
    clock.advance(1_000);
    const asking = await RawConnection.open(server.port);
    asking.send(rawGet(server.port, '/'));
    expect((await asking.answer())?.status).toBe(200);
    expect(await silent[0]?.ended).toMatchObject({ status: 408, error: '' });
    const next = await RawConnection.open(server.port);
    next.send(rawGet(server.port, '/'));
    expect((await next.answer())?.status).toBe(200);
  });

  it('that have only just been opened are never closed to make room', async () => {
    const { server, clock } = await start();
    const fresh = await openClients(crowded, server.port);
    clock.advance(999);
    const asking = await RawConnection.open(server.port);
    asking.send(rawGet(server.port, '/'));
    expect((await asking.answer())?.status).toBe(200);
    asking.cut();
    const [first] = fresh;
    first?.send(rawGet(server.port, '/', ['Connection: close']));
    expect(await first?.ended).toMatchObject({ status: 200, error: '' });
  });
});
