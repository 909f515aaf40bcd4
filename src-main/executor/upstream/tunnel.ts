// A connection to a target through an HTTP proxy (CONNECT). The proxy is asked for the address that was checked, and not
// for the name, whose address it could find to be another one.
import { Client, type buildConnector } from 'undici';
import { CallError } from './call-error.ts';

/** Socket of a connection, as a connector hands it over. */
type Socket = Exclude<Parameters<buildConnector.Callback>[1], null>;
type Target = { readonly address: string; readonly port: number };

/** Opens the tunnel. Rejects with a `CallError`, or the error of the connection to the proxy. */
export async function openTunnel(proxy: URL, { address, port }: Target, connectMs: number): Promise<Socket> {
  const client = new Client(proxy.origin, { connect: { timeout: connectMs } });
  const host = `${address.includes(':') ? `[${address}]` : address}:${port}`;
  try {
    const { statusCode, socket } = await client.connect({
      path: host,
      headers: { host, ...authorization(proxy) },
      signal: AbortSignal.timeout(connectMs),
    });
    if (statusCode === 200) {
      // The socket has left the client, which would wait for it for ever.
      socket.once('close', () => void client.destroy());
      // Typed as any stream; it is the socket of the connection.
      return socket as Socket;
    }
    socket.on('error', () => undefined).destroy();
    throw new CallError(`was refused by the proxy ${proxy.host} with status ${statusCode}`);
  } catch (error) {
    await client.destroy();
    if (error instanceof CallError) throw error;
    throw new CallError(`was not made: the proxy ${proxy.host} did not answer`);
  }
}

function authorization({ username, password }: URL): Record<string, string> {
  if (username === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}
