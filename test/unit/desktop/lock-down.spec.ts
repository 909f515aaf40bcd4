import { beforeEach, describe, expect, it, vi } from 'vitest';
import { lockDownContents, lockDownSession, answeredOrigin } from '../../../src-main/desktop/lock-down.ts';
import { answerHere, ContentsDouble, SessionDouble } from '../../builders/electron-double.ts';

const origin = 'http://127.0.0.1:4170';
const elsewhere = [
  'https://evil.example/',
  'http://127.0.0.1:4171/',
  'http://localhost:4170/',
  'https://127.0.0.1:4170/',
  'http://127.0.0.1:4170.evil.example/',
  'http://127.0.0.1:4170@evil.example/',
  'file:///etc/passwd',
  'data:text/html,x',
  'javascript:alert(1)',
  'about:blank',
  'no address',
];
/** Documents that a script of a page can make: not what the server sent, whatever origin they claim. */
const made = [`blob:${origin}/1234`, `blob:blob:${origin}/1`, `filesystem:${origin}/temporary/x`];

it('an address without an origin of its own has none', () => {
  const without = ['about:blank', 'data:text/html,x', 'file:///etc/passwd', 'no address', ...made];
  expect(without.map(answeredOrigin)).toEqual(without.map(() => undefined));
});

describe('contents', () => {
  let contents: ContentsDouble;
  const openOutside = vi.fn();
  beforeEach(() => {
    openOutside.mockClear();
    contents = new ContentsDouble();
    lockDownContents(contents as never, origin, openOutside);
  });

  it.each(['will-navigate', 'will-redirect', 'will-frame-navigate'])(
    '%s leads to no other origin',
    (name) => {
      for (const url of [...elsewhere, ...made])
        expect([url, contents.fire(name, { url })]).toEqual([url, true]);
      expect(contents.fire(name, { url: `${origin}/runs` })).toBe(false);
    },
  );

  it('offers to open a link that leads out, and never one inside', () => {
    contents.fire('will-navigate', { url: 'https://example.com/' });
    contents.fire('will-navigate', { url: `${origin}/runs` });
    expect(openOutside.mock.calls).toEqual([['https://example.com/']]);
  });

  it('opens no window, whatever its address', () => {
    for (const url of [...elsewhere, `${origin}/runs`])
      expect(contents.openHandler?.({ url })).toEqual({ action: 'deny' });
  });

  it('attaches no webview', () => {
    expect(contents.fire('will-attach-webview')).toBe(true);
  });
});

describe('the session', () => {
  let session: SessionDouble;
  beforeEach(() => {
    session = new SessionDouble();
    lockDownSession(session as never, origin);
  });
  const permissions = [
    ...['media', 'geolocation', 'notifications', 'midi', 'midiSysex', 'pointerLock', 'fullscreen'],
    ...['openExternal', 'clipboard-read', 'display-capture', 'hid', 'serial', 'usb', 'fileSystem', 'unknown'],
  ];

  it.each(permissions)('refuses %s when it is asked for, and when it is looked up', (permission) => {
    const details = { requestingUrl: `${origin}/` };
    expect(session.ask('permission-request', null, permission, answerHere, details)).toBe(false);
    expect(session.ask('permission-check', null, permission, origin, {})).toBe(false);
  });

  it('lets our own page write to the clipboard, and no other', () => {
    const write = 'clipboard-sanitized-write';
    const ask = (requestingUrl: string) =>
      session.ask('permission-request', null, write, answerHere, { requestingUrl });
    expect([ask(`${origin}/keys`), session.ask('permission-check', null, write, origin, {})]).toEqual([
      true,
      true,
    ]);
    for (const url of [...elsewhere, ...made])
      expect([ask(url), session.ask('permission-check', null, write, url, {})]).toEqual([false, false]);
  });

  it('lets our own page write into a file that the user has named, and into nothing else', () => {
    const ask = (details: object, from = `${origin}/`) => [
      session.ask('permission-request', null, 'fileSystem', answerHere, { requestingUrl: from, ...details }),
      session.ask('permission-check', null, 'fileSystem', from, details),
    ];
    const file = { filePath: '/home/a.csv', isDirectory: false, fileAccessType: 'writable' };
    expect(ask(file)).toEqual([true, true]);
    for (const details of [{}, { ...file, isDirectory: true }, { ...file, fileAccessType: 'readable' }])
      expect([details, ...ask(details)]).toEqual([details, false, false]);
    for (const url of [...elsewhere, ...made]) expect([url, ...ask(file, url)]).toEqual([url, false, false]);
    expect(session.ask('permission-check', null, 'media', `${origin}/`, file)).toBe(false);
  });

  it('gives no device, no picture of a screen and no pairing', () => {
    expect(session.ask('device', {})).toBe(false);
    expect(session.ask('display-media', {}, answerHere)).toBeNull();
    expect(session.ask('bluetooth', {}, answerHere)).toEqual({ confirmed: false });
    const choices: unknown[] = [];
    const choose = (chosen?: unknown): void => void choices.push(chosen);
    expect(session.fire('select-hid-device', {}, {}, choose)).toBe(true);
    expect(session.fire('select-serial-port', {}, [{}], {}, choose)).toBe(true);
    expect(session.fire('select-usb-device', {}, {}, choose)).toBe(true);
    expect(choices).toEqual([null, '', undefined]);
  });

  it('saves exports of our own page under a safe name, and nothing else', () => {
    const setSaveDialogOptions = vi.fn();
    const item = (url: string) => ({
      getURL: () => url,
      getFilename: () => '../../con:fig.csv',
      setSaveDialogOptions,
    });
    expect(session.fire('will-download', {}, item(`blob:${origin}/1234`))).toBe(false);
    expect(setSaveDialogOptions.mock.calls).toEqual([[{ defaultPath: '-..-con-fig.csv' }]]);
    for (const url of [...elsewhere, 'blob:https://evil.example/1', 'blob:null/1', ...made.slice(1)])
      expect([url, session.fire('will-download', {}, item(url))]).toEqual([url, true]);
  });
});
