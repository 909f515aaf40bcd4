// A server whose connections are encrypted, with a certificate that may be renewed while it runs.
import type { Server } from 'node:http';
import { createServer } from 'node:https';
import type { Emitter } from '../base/emitter.ts';
import type { Log } from '../base/log.ts';
import { certificateUnusable } from '../domain/request-errors.ts';
import { serverOptions } from './server-limits.ts';

/** In PEM form; `cert` with the certificates of its authorities, its own first. */
type Certificate = { readonly cert: string; readonly key: string };

export type CertificateSource = {
  readonly current: Certificate;
  readonly changes: Pick<Emitter<Certificate>, 'listen'>;
};

/** As long as a request's headers may take. */
const handshakeTimeout = 10_000;

/** Connections that are open keep their certificate when it changes. Throws `invalid_input` for an unusable one. */
export function createTlsServer(source: CertificateSource, log: Log): Server {
  const server = create(source.current);
  const stop = source.changes.listen((certificate) => {
    try {
      server.setSecureContext(certificate);
      log.info({}, 'the TLS certificate was renewed');
    } catch (error) {
      log.warn({ error }, 'the TLS certificate changed and cannot be used: the one before it stays in use');
    }
  });
  server.once('close', stop);
  return server;
}

function create(certificate: Certificate) {
  try {
    return createServer({ ...serverOptions, ...certificate, handshakeTimeout });
  } catch (error) {
    throw certificateUnusable(error);
  }
}
