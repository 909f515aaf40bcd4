import { readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { silentLog } from '../../../src-main/base/log.ts';
import { systemClock } from '../../../src-main/base/system-clock.ts';
import { startDesktop } from '../../../src-main/desktop/start-desktop.ts';
import {
  answerHere,
  ContentsDouble,
  electronDouble,
  WindowDouble,
  type ElectronDouble,
} from '../../builders/electron-double.ts';
import { sampleWorkflows } from '../../builders/start-test-app.ts';
import { temporaryFolder } from '../../builders/temporary-folder.ts';
import { utilityDouble } from '../../builders/utility-double.ts';

const folder = join(import.meta.dirname, '../../../dist');
const started: ElectronDouble[] = [];

async function start(
  argv: readonly string[] = [],
  double = electronDouble(),
  platform: NodeJS.Platform = 'linux',
) {
  const dataDir = await temporaryFolder();
  const utility = utilityDouble();
  double.utilityProcess.fork = utility.fork as never;
  started.push(double);
  await startDesktop(double.parts, {
    folder,
    icon: join(folder, 'renderer/icon.png'),
    platform,
    argv: ['rowbench', `--data=${dataDir}`, '--port=0', ...argv],
    feedFile: join(dataDir, 'app-update.yml'),
    loadUpdater: () => Promise.reject(new Error('there is none')),
    clock: systemClock,
    log: silentLog,
  });
  return { ...double, dataDir, starts: utility.starts, window: WindowDouble.made[0] };
}

/** A call as the window's page makes it: the shell adds what proves it. */
async function callAs(
  double: ElectronDouble,
  window: WindowDouble | undefined,
  path: string,
  input: unknown,
) {
  const { origin } = new URL(window?.url ?? '');
  const dialogs = {
    url: origin + path,
    webContentsId: window?.webContents.id,
    frame: { parent: null, origin },
    resourceType: 'xhr',
    initiatorOrigin: origin,
    requestHeaders: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
  };
  const { requestHeaders } = double.session.ask('onBeforeSendHeaders', dialogs, answerHere) as {
    requestHeaders: Record<string, string>;
  };
  const body = input === undefined ? {} : { method: 'POST', body: JSON.stringify(input) };
  const response = await fetch(dialogs.url, { headers: requestHeaders, ...body });
  return ((await response.json()) as { data: unknown }).data;
}

afterEach(async () => {
  for (const double of started.splice(0)) {
    double.app.quit();
    await expect
      .poll(() => double.app.calls.some((call) => /quit|exit/.test(call)), { timeout: 10_000 })
      .toBe(true);
  }
});

describe('the desktop app', () => {
  it('serves its own page, lets it in without a link, and runs the sample in a utility process', async () => {
    const desktop = await start();
    const { window } = desktop;
    expect(window?.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
    expect(await callAs(desktop, window, '/_rowbench/v1/session', undefined)).toMatchObject({ isOpen: true });
    const [workflow] = (await callAs(desktop, window, '/_rowbench/v1/call/workflow.list', {})) as {
      id: string;
      sampleRow: object;
    }[];
    const path = `/_rowbench/v1/workflows/${workflow?.id}/runs`;
    await callAs(desktop, window, path, { rows: [workflow?.sampleRow] });
    const runs = () => callAs(desktop, window, '/_rowbench/v1/call/run.list', {});
    await expect.poll(runs, { timeout: 15_000 }).toMatchObject([{ status: 'completed' }]);
    expect(desktop.starts.length).toBeGreaterThan(0);
    await expect.poll(() => desktop.notifications.length, { timeout: 10_000 }).toBe(1);
    desktop.notifications[0]?.click();
    expect(window?.webContents.sent[0]?.[0]).toBe('rowbench:go');
  });

  it('closes everything that a window could ask for before there is one', async () => {
    const { app, session, channels, menus } = await start();
    expect(app.calls.slice(0, 2)).toEqual(['sandbox', 'protocol rowbench']);
    expect([...session.handlers.keys()].sort()).toEqual(
      [
        'bluetooth',
        'device',
        'display-media',
        'onBeforeSendHeaders',
        'permission-check',
        'permission-request',
      ].sort(),
    );
    expect([channels.size, menus.length]).toEqual([7, 1]);
    expect(app.paths.get('userData')).toBe(join('/users/data', 'Rowbench Window'));
    const contents = new ContentsDouble();
    app.fire('web-contents-created', {}, contents);
    expect(contents.fire('will-navigate', { url: 'https://evil.example/' })).toBe(true);
    expect(contents.openHandler?.({ url: 'https://evil.example/' })).toEqual({ action: 'deny' });
  });

  it('shows what a second start and a link ask for, in the one window', async () => {
    const { app, window } = await start(['rowbench://runs/r1']);
    expect(window?.url).toMatch(/\/runs\/r1$/);
    app.fire('second-instance', {}, ['rowbench', '/x/ask.workflow.yaml'], '/');
    expect(window?.webContents.sent).toEqual([['rowbench:go', '/workflows?import=%2Fx%2Fask.workflow.yaml']]);
    expect(WindowDouble.made.length).toBe(1);
  });

  it('connects to no other computer for its data folder unless the user agrees', async () => {
    const { app, dialog, window } = await start(['--data=\\\\evil\\share'], electronDouble(), 'win32');
    expect(dialog.shown.map(({ message }) => message)).toEqual(['Connect to the computer “evil”?']);
    expect([app.calls.at(-1), window]).toEqual(['exit 0', undefined]);
    expect(await readdir('.')).not.toContain('\\\\evil\\share\\');
  });

  it('asks before it shows a workflow file of another computer', async () => {
    const double = electronDouble();
    const { app, dialog, window } = await start([], double);
    app.fire('open-file', {}, '//evil/share/x.workflow.yaml');
    await expect.poll(() => dialog.shown.length).toBe(1);
    dialog.presses.push('Connect');
    await new Promise(setImmediate);
    app.fire('open-file', {}, '//evil/share/x.workflow.yaml');
    await expect
      .poll(() => window?.webContents.sent)
      .toEqual([['rowbench:go', '/workflows?import=%2F%2Fevil%2Fshare%2Fx.workflow.yaml']]);
  });

  it('leaves everything to the instance that runs already', async () => {
    const double = electronDouble();
    double.app.isFirst = false;
    const { app, window } = await start([], double);
    expect([app.calls, window]).toEqual([['sandbox', 'quit'], undefined]);
  });

  it('starts in the tray alone at login', async () => {
    const { trays, window } = await start(['--hidden']);
    expect([window, trays.length]).toEqual([undefined, 1]);
    trays[0]?.fire('click');
    expect(WindowDouble.made.length).toBe(1);
  });

  it('goes on when the process that draws has ended', async () => {
    const desktop = await start();
    desktop.app.fire('child-process-gone', {}, { type: 'GPU', reason: 'crashed' });
    const session = await callAs(desktop, desktop.window, '/_rowbench/v1/session', undefined);
    expect([session, desktop.app.calls.some((call) => /quit|exit/.test(call))]).toEqual([
      expect.objectContaining({ isOpen: true }),
      false,
    ]);
  });

  it('explains a port that is taken and starts on another one when the user says so', async () => {
    const blocker = createServer();
    await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve));
    const { port } = blocker.address() as { port: number };
    const double = electronDouble();
    double.dialog.presses.push('Try again', 'Use another port this time');
    const { window, dialog } = await start([`--port=${port}`], double);
    expect(dialog.shown.map(({ message }) => message)).toEqual([
      'Another program has the port of Rowbench',
      'Another program has the port of Rowbench',
    ]);
    expect(new URL(window?.url ?? '').port).not.toBe(String(port));
    blocker.close();
  });

  it('ends when the user gives up', async () => {
    const first = await start();
    const { app } = await start([`--data=${first.dataDir}`]);
    expect(app.calls).toContain('exit 0');
  });

  it('goes on at the next start with a run that was left, and pauses all from the tray', async () => {
    const first = await start();
    await writeFile(join(first.dataDir, 'workflows', 'waiting.workflow.yaml'), sampleWorkflows.waiting);
    const path = '/_rowbench/v1/workflows/waiting/runs';
    await expect
      .poll(() => callAs(first, first.window, path, { rows: [{ n: 1 }] }), { timeout: 10_000 })
      .toMatchObject({ runId: expect.any(String) as string });
    await expect.poll(() => first.trays[0]?.toolTip, { timeout: 10_000 }).toBe('Rowbench: 1 run active');
    expect(first.blockers.size).toBe(1);
    first.dialog.presses.push('Quit, go on at the next start');
    first.app.quit();
    await expect.poll(() => first.app.calls.includes('quit'), { timeout: 10_000 }).toBe(true);
    expect([first.blockers.size, first.trays[0]?.isGone]).toEqual([0, true]);

    const second = await start([`--data=${first.dataDir}`]);
    const runs = () => callAs(second, second.window, '/_rowbench/v1/call/run.list', {});
    await expect.poll(runs, { timeout: 10_000 }).toMatchObject([{ status: 'running' }]);
    await expect.poll(() => second.trays[0]?.menu[3]?.enabled, { timeout: 10_000 }).toBe(true);
    second.trays[0]?.menu[3]?.click?.(undefined as never, undefined, undefined as never);
    await expect.poll(runs, { timeout: 10_000 }).toMatchObject([{ status: 'paused' }]);
    await expect.poll(() => second.trays[0]?.toolTip).toBe('Rowbench: No runs active, 1 paused');
  });

  it('lets a workflow do more only once the user has agreed outside of the page', async () => {
    const desktop = await start();
    const { window, channels, dialog } = desktop;
    const input = { workflowId: 'score-leads', allow: ['lan'] };
    expect(await callAs(desktop, window, '/_rowbench/v1/call/workflow.grant', input)).toBeUndefined();
    const { origin } = new URL(window?.url ?? '');
    const event = { sender: window?.webContents, senderFrame: { parent: null, origin } };
    const ask = () => channels.get('rowbench:workflow.grant')?.(event, input);
    expect(await ask()).toMatchObject({ code: 'declined' });
    dialog.presses.push('Allow');
    expect(await ask()).toMatchObject({ data: { id: 'score-leads', network: ['public', 'lan'] } });
    expect(dialog.shown[0]?.message).toContain('reach addresses of the local network?');
  });

  it.each(['deb', 'rpm\n'])('leaves updates of a %j package to the package manager', async (packageType) => {
    const double = electronDouble();
    const { menus, dialog, dataDir } = await start([], double);
    await writeFile(join(dataDir, 'package-type'), packageType);
    await writeFile(join(dataDir, 'app-update.yml'), 'provider: github\nowner: a\nrepo: b\n');
    const items = menus.flat().flatMap(({ submenu }) => (Array.isArray(submenu) ? submenu : []));
    const look = items.find(({ label }) => label === 'Look for a new version…');
    look?.click?.(undefined as never, undefined, undefined as never);
    // An updater that is loaded fails in this test, with other words.
    await expect
      .poll(() => dialog.shown.map(({ message }) => message))
      .toEqual([
        `This Rowbench is an installed ${packageType.trim()} package: install new versions with your package manager`,
      ]);
  });

  it.each([true, false])('is looked after by updates where it is installed: %s', async (isPackaged) => {
    const double = electronDouble();
    double.app.isPackaged = isPackaged;
    const { menus, window, dialog } = await start([], double);
    expect(window?.options.webPreferences?.devTools).toBe(!isPackaged);
    const items = menus.flat().flatMap(({ submenu }) => (Array.isArray(submenu) ? submenu : []));
    const look = items.find(({ label }) => label === 'Look for a new version…');
    expect(look !== undefined).toBe(isPackaged);
    look?.click?.(undefined as never, undefined, undefined as never);
    if (isPackaged)
      await expect
        .poll(() => dialog.shown.map(({ message }) => message))
        .toEqual([expect.stringContaining('names no place')]);
  });
});
