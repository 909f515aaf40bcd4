import { describe, expect, it } from 'vitest';
import { proveControl } from '../../../src-main/desktop/control-proof.ts';
import { answerHere, SessionDouble } from '../../builders/electron-double.ts';

const origin = 'http://127.0.0.1:4170';
const control = { prefix: '/_rowbench/v1', header: 'x-rowbench-token', token: 'secret' };
const ours = {
  url: `${origin}/_rowbench/v1/call/run.list`,
  webContentsId: 7,
  frame: { parent: null, origin },
  resourceType: 'xhr',
  initiatorOrigin: origin,
  requestHeaders: { accept: '*/*' },
};

function headersOf(changed: object, contentsId: number | undefined = 7): unknown {
  const session = new SessionDouble();
  proveControl(session as never, { origin, control, contentsId: () => contentsId });
  return session.ask('onBeforeSendHeaders', { ...ours, ...changed }, answerHere);
}

describe('the control token', () => {
  it('is added to what our page asks of the control API', () => {
    expect(headersOf({})).toEqual({ requestHeaders: { accept: '*/*', 'x-rowbench-token': 'secret' } });
  });

  it.each([
    ['another host', { url: 'https://evil.example/_rowbench/v1/call/run.list' }],
    ['another port', { url: 'http://127.0.0.1:4171/_rowbench/v1/call/run.list' }],
    ['another name of this machine', { url: 'http://localhost:4170/_rowbench/v1/events' }],
    ['the public API', { url: `${origin}/api/v1/workflows/x/runs/async` }],
    ['a page', { url: `${origin}/runs` }],
    ['a path that only begins like it', { url: `${origin}/_rowbench/v1evil` }],
    ['a path that leads out of it', { url: `${origin}/_rowbench/v1/../../api/v1` }],
    ['trust, which the user is asked about', { url: `${origin}/_rowbench/v1/call/workflow.trust` }],
    ['a grant', { url: `${origin}/_rowbench/v1/call/workflow.grant?x=1` }],
    ['an import', { url: `${origin}/_rowbench/v1/call/workflow.import#x` }],
    ['a link for a browser', { url: `${origin}/_rowbench/v1/call/server.link` }],
    ['trust in another spelling', { url: `${origin}/_rowbench/v1/call/workflow%2Etrust` }],
    ['no address', { url: 'nonsense' }],
    ['a blob of our page', { url: `blob:${origin}/_rowbench/v1/call/run.list` }],
    ['another window', { webContentsId: 8 }],
    ['no window', { webContentsId: undefined }],
    ['a frame inside', { frame: { parent: {}, origin } }],
    ['a top frame that went elsewhere', { frame: { parent: null, origin: 'https://evil.example' } }],
    ['a frame that is gone', { frame: null }],
    ['a request redirected from elsewhere', { initiatorOrigin: 'https://evil.example' }],
    ['a navigation', { resourceType: 'mainFrame' }],
    ['an image', { resourceType: 'image' }],
    ['a form', { resourceType: 'subFrame' }],
  ])('is not given to %s', (_, changed) => {
    expect(JSON.stringify(headersOf(changed))).not.toContain('secret');
  });

  it('is given to nobody while there is no window', () => {
    const session = new SessionDouble();
    proveControl(session as never, { origin, control, contentsId: () => undefined });
    const answer = session.ask('onBeforeSendHeaders', { ...ours, webContentsId: undefined }, answerHere);
    expect(JSON.stringify(answer)).not.toContain('secret');
  });
});
