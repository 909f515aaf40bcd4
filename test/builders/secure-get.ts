// Requests over TLS that trust one certificate of test/fixtures/tls, whatever name they use in Host.
import { readFile } from 'node:fs/promises';
import { request } from 'node:https';
import { fileURLToPath } from 'node:url';

export const tlsFixture = (name: string): string =>
  fileURLToPath(new URL(`../fixtures/tls/${name}.pem`, import.meta.url));

type SecureRequest = {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Name of the only trusted certificate. */
  readonly trusted?: string;
};

export type SecureAnswer = {
  readonly status: number;
  readonly body: string;
  readonly hsts: string | undefined;
};

/** One request on a connection of its own. Rejects if the connection fails or the certificate is another. */
export async function secureGet(port: number, options: SecureRequest = {}): Promise<SecureAnswer> {
  const { path = '/', method = 'GET', headers = {}, body, trusted = 'self-signed' } = options;
  const ca = await readFile(tlsFixture(`${trusted}.cert`));
  const target = { host: '127.0.0.1', port, servername: 'localhost', path, method, headers };
  return new Promise((resolve, reject) => {
    request({ ...target, ca, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      response.on('end', () => {
        const hsts = response.headers['strict-transport-security'];
        resolve({ status: response.statusCode ?? 0, body: text, hsts });
      });
    })
      .on('error', reject)
      .end(body);
  });
}
