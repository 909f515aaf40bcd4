import { win32 } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pathOfArguments, pathOfFile, pathOfLink } from '../../../src-main/app/shell/app-path.ts';
import { OpenRequests } from '../../../src-main/desktop/open-requests.ts';
import { askAboutRemoteFiles, remoteHostOf } from '../../../src-main/app/shell/remote-file.ts';
import type { Question } from '../../../src-main/app/shell/ask-first.ts';
import { safeFileName } from '../../../src-main/app/shell/safe-file-name.ts';
import { electronDouble } from '../../builders/electron-double.ts';

describe('a link', () => {
  it('shows a run or a workflow', () => {
    expect(pathOfLink('rowbench://runs/run_1')).toBe('/runs/run_1');
    expect(pathOfLink('rowbench://workflows/my-flow/')).toBe('/workflows/my-flow');
  });

  it.each([
    ...[
      'rowbench://runs/',
      'rowbench://runs/a/b',
      'rowbench://runs/..',
      'rowbench://runs/a?x=1',
      'rowbench://runs/a#x',
    ],
    ...[
      'rowbench://settings/x',
      'ROWBENCH://runs/x',
      ' rowbench://runs/x',
      'rowbench://runs/x\n',
      'rowbench:runs/x',
    ],
    ...[
      'rowbench://user@runs/x',
      'rowbench://runs/%2e%2e',
      'https://evil.example',
      `rowbench://runs/${'x'.repeat(65)}`,
    ],
  ])('%s shows nothing', (link) => {
    expect(pathOfLink(link)).toBeUndefined();
  });

  it('a link only gives paths of the two screens, whatever its text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const appPath = pathOfLink(`rowbench://${text}`);
        expect(appPath ?? '/runs/x').toMatch(/^\/(runs|workflows)\/[\w-]{1,64}$/);
      }),
    );
  });
});

it('offers to import a workflow file, and no other file', () => {
  expect(pathOfFile('/home/ü b/ask.workflow.yaml')).toBe(
    '/workflows?import=%2Fhome%2F%C3%BC%20b%2Fask.workflow.yaml',
  );
  expect([pathOfFile('/a/b.yaml'), pathOfFile('c.workflow.yaml')]).toEqual([undefined, undefined]);
});

it('finds what a command line asks for beside its options', () => {
  expect(pathOfArguments(['app', '--x.workflow.yaml', 'a.workflow.yml', 'b.txt'], '/home')).toBe(
    '/workflows?import=%2Fhome%2Fa.workflow.yml',
  );
  expect(pathOfArguments(['app', 'rowbench://runs/1'], '/')).toBe('/runs/1');
  expect(pathOfArguments(['rowbench://runs/1'], '/')).toBeUndefined();
});

it('keeps what came before the window, then shows what comes', () => {
  const { app, parts } = electronDouble();
  const opened = new OpenRequests(parts.app, ['app']);
  expect(app.fire('open-url', {}, 'rowbench://runs/early')).toBe(true);
  const shown: unknown[] = [];
  shown.push(opened.takeOver((appPath) => shown.push(appPath)));
  app.fire('second-instance', {}, ['app', 'x.workflow.yaml'], '/y');
  app.fire('open-file', {}, '/z.workflow.yaml');
  app.fire('activate');
  expect(shown).toEqual([
    '/runs/early',
    '/workflows?import=%2Fy%2Fx.workflow.yaml',
    '/workflows?import=%2Fz.workflow.yaml',
    undefined,
  ]);
});

it.each([
  ['\\\\host\\share\\x', 'host'],
  ['//host/share/x', 'host'],
  ['\\/host/share', 'host'],
  ['\\\\?\\UNC\\host\\share', 'host'],
  ['//./unc/host/share', 'host'],
  ['\\\\192.0.2.1@80\\DavWWWRoot\\x', '192.0.2.1@80'],
  ['\\\\.\\pipe\\x', '.'],
  ['C:\\x', undefined],
  ['\\\\?\\C:\\x', undefined],
  ['/home/x', undefined],
  ['\\x', undefined],
])('the path %s is one of the computer %s', (file, host) => {
  expect(remoteHostOf(file)).toBe(host);
});

describe('a workflow file on another computer', () => {
  const appPath = '/workflows?import=%5C%5Cevil%5Cshare%5Cx.workflow.yaml';
  const file = '\\\\evil\\share\\x.workflow.yaml';
  const argumentsFor = [
    file,
    '//evil/share/x.workflow.yaml',
    'file://evil/share/x.workflow.yaml',
    'FILE://EVIL/share/x.workflow.yaml',
  ];

  it('is recognised in each way in which a command line can name it on Windows', () => {
    for (const argument of argumentsFor)
      expect([argument, pathOfArguments(['app', argument], 'C:\\', win32)]).toEqual([argument, appPath]);
    expect(pathOfArguments(['app', 'x.workflow.yaml'], '\\\\evil\\share', win32)).toBe(appPath);
    expect(pathOfArguments(['app', 'file:///C:/x.workflow.yaml'], 'C:\\', win32)).toBe(
      '/workflows?import=C%3A%5Cx.workflow.yaml',
    );
  });

  it('is shown only once the user agrees, whether it came before the window or later', async () => {
    const { app, parts } = electronDouble();
    const opened = new OpenRequests(parts.app, ['app', file], win32);
    const shown: unknown[] = [];
    const questions: { question: Question; answer: (agrees: boolean) => void }[] = [];
    const show = askAboutRemoteFiles(
      (path) => shown.push(path),
      (question) => new Promise((answer) => questions.push({ question, answer })),
    );
    show(opened.takeOver(show));
    expect([shown, questions.length]).toEqual([[], 1]);
    expect(questions[0]?.question).toMatchObject({
      message: 'Connect to the computer “evil”?',
      detail: expect.stringContaining(file) as string,
    });
    // While one question is open, no other is asked.
    app.fire('second-instance', {}, ['app', file], 'C:\\');
    expect(questions.length).toBe(1);
    questions[0]?.answer(false);
    await expect.poll(() => shown).toEqual([undefined]);
    await new Promise(setImmediate);
    app.fire('second-instance', {}, ['app', 'x.workflow.yaml'], '\\\\evil\\share');
    expect([shown, questions.length]).toEqual([[undefined], 2]);
    questions[1]?.answer(true);
    await expect.poll(() => shown).toEqual([undefined, appPath]);
  });
});

it.each([
  ['../../x.csv', '-..-x.csv'],
  ['CON', 'rowbench-CON'],
  ['nul.json', 'rowbench-nul.json'],
  ['  . ', 'rowbench-export'],
  ['a\u202Egpj.exe', 'a-gpj.exe'],
  ['😀 "ok".ndjson', '😀 -ok-.ndjson'],
  ['x'.repeat(300) + '.json', 'x'.repeat(120) + '.json'],
])('saves %s as %s', (suggested, name) => {
  expect(safeFileName(suggested)).toBe(name);
});
