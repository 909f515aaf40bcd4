/**
 * Headers that the call itself sets, in lower case. They say how a message travels and that it is repeated: an author
 * who sets one could make it end early, reach somebody else, or break the promise about repeated calls.
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
