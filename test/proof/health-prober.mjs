// The thread of `test/builders/health-prober.ts`: one request after the other, over one connection.
import { Agent, get } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let silentMs = 0;
let from = performance.now();
const ask = () => {
  from = performance.now();
  get(workerData + '/healthz', { agent }, (response) => {
    response.resume().on('end', () => {
      silentMs = Math.max(silentMs, performance.now() - from);
      setTimeout(ask, 2);
    });
  }).on('error', () => setTimeout(ask, 2));
};
parentPort.on('message', () => {
  parentPort.postMessage(Math.max(silentMs, performance.now() - from));
  silentMs = 0;
});
ask();
