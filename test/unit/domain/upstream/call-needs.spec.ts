import { expect, it } from 'vitest';
import {
  callNeedOf,
  networkMissing,
  recordIt,
  secretMissing,
} from '../../../../src-main/domain/upstream/call-needs.ts';

it.each([
  [
    `GET https://api.example.com:8443/a?key=… ${secretMissing('CRM_TOKEN')} (not retried)`,
    { kind: 'secret', name: 'CRM_TOKEN', host: 'api.example.com:8443' },
  ],
  [secretMissing('CRM_TOKEN'), { kind: 'secret', name: 'CRM_TOKEN' }],
  [
    `POST http://own.example/ ${networkMissing('own.example (10.0.0.1)', { workflowId: 'inner', network: 'lan' })}`,
    { kind: 'network', workflowId: 'inner', network: 'lan' },
  ],
  [`no recorded answer to GET https://api.example.com/: ${recordIt}`, { kind: 'recording' }],
  ['HTTP 500 from GET https://api.example.com/', undefined],
])('the message "%s" names what its call needs', (message, need) => {
  expect(callNeedOf(message)).toEqual(need);
});
