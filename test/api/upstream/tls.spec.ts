import { readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished, vi } from 'vitest';
import { callErrorOf } from '../../../src-main/executor/upstream/call-error.ts';
import { testBroker } from '../../builders/test-broker.ts';

const fixture = (name: string) =>
  readFile(new URL(`../../fixtures/tls/self-signed.${name}.pem`, import.meta.url));

it('a certificate of an unknown authority fails the call, whatever the environment says', async () => {
  let calls = 0;
  const server = createServer(
    { key: await fixture('key'), cert: await fixture('cert') },
    (_request, response) => {
      calls += 1;
      response.end();
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  onTestFinished(() => void vi.unstubAllEnvs());
  const url = `https://localhost:${(server.address() as AddressInfo).port}/`;
  expect(await testBroker().ask(url)).toEqual({
    kind: 'failed',
    message: `GET ${url} was not answered: its certificate is self-signed (DEPTH_ZERO_SELF_SIGNED_CERT)`,
  });
  expect(calls).toBe(0);
});

it.each([
  ['CERT_HAS_EXPIRED', 'its certificate has expired'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate is for another host'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'from an authority that is not known here'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'TLS could not be set up'],
])('%s has words', (code, words) => {
  expect(callErrorOf(Object.assign(new Error('x'), { code }))?.message).toContain(words);
});
