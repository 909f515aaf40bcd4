/**
 * Headers that only Rowbench may set on a call, in lower case. They say how a message travels and that it is
 * repeated. An author's value could end the message early, reach another server, or break the promise about repeats.
 */
export const ownHeaders: ReadonlySet<string> = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'idempotency-key',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
