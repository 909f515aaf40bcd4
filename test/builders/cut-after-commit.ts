// A connection to PostgreSQL that is lost between a commit and its answer.
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** PostgreSQL's answer to `commit`: the tag of the command. */
const committed = Buffer.from('COMMIT\0');

export type CuttableDatabase = {
  /** Address of the same database, over connections that can be cut. */
  readonly url: string;
  /** Cuts the connection of the next commit once the database has made it, in place of its answer. */
  cutNextCommit(): void;
  /** Connections that were cut. */
  readonly cuts: number;
};

export async function openCuttable(databaseUrl: string): Promise<CuttableDatabase> {
  const url = new URL(databaseUrl);
  const target = { host: url.hostname, port: Number(url.port) };
  const sockets = new Set<Socket>();
  let isCutting = false;
  let cuts = 0;
  const proxy = createServer((client) => {
    const server = connect(target);
    const end = (): void => [client, server].forEach((socket) => socket.destroy());
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', end).on('close', end);
    }
    client.pipe(server);
    server.on('data', (answer) => {
      if (!isCutting || !answer.includes(committed)) return void client.write(answer);
      isCutting = false;
      cuts += 1;
      end();
    });
  });
  await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  });
  url.port = String((proxy.address() as AddressInfo).port);
  return {
    url: url.href,
    cutNextCommit: () => {
      isCutting = true;
    },
    get cuts() {
      return cuts;
    },
  };
}
