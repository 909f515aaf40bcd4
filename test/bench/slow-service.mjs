// A service that takes 20 ms for every answer, 500 ms under /model/, in a process of its own. Prints its port.
import { createServer } from 'node:http';

const answerMs = (path) => (path.startsWith('/model/') ? 500 : 20);
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    setTimeout(() => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"n":1}');
    }, answerMs(request.url));
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
