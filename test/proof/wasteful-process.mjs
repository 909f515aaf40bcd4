// Loaded into a server process by `--import`, to check that rigs notice waste. It retains memory for everything that
// clients send, keeps a file descriptor open for each call, and blocks all clients now and then.
import { openSync } from 'node:fs';
import { IncomingMessage, Server } from 'node:http';

const kept = [];
let pieces = 0;

const { push } = IncomingMessage.prototype;
IncomingMessage.prototype.push = function keep(piece, encoding) {
  if (piece !== null) {
    kept.push(Buffer.alloc(30 * piece.length, 1));
    pieces += 1;
    if (pieces % 8 === 0) stall(300);
  }
  return push.call(this, piece, encoding);
};

const { emit } = Server.prototype;
Server.prototype.emit = function keepOf(event, ...given) {
  if (event === 'request') kept.push(Buffer.alloc(4_000_000, 1), openSync('/dev/null'));
  return emit.call(this, event, ...given);
};

function stall(ms) {
  const until = performance.now() + ms;
  while (performance.now() < until);
}
