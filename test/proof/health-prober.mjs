// The thread of `test/builders/health-prober.ts`: one request after the other, over one connection. A message asks for the
// longest silence since the last one; a request under way is awaited first.
import { Agent, get } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import { awakeMsBetween, mainThreadOf, momentOf, thisThread } from './awake-time.mjs';

const { url, pid } = workerData;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const threads = [mainThreadOf(pid), thisThread];
let silentMs = 0;
let isAsked = false;

const ask = () => {
  const from = momentOf(threads);
  const end = () => {
    if (isAsked) {
      parentPort.postMessage(silentMs);
      silentMs = 0;
      isAsked = false;
    }
    setTimeout(ask, 2);
  };
  get(`${url}/healthz`, { agent }, (response) => {
    response.resume().on('end', () => {
      silentMs = Math.max(silentMs, awakeMsBetween(from, momentOf(threads)));
      end();
    });
  }).on('error', end);
};
parentPort.on('message', () => (isAsked = true));
ask();
