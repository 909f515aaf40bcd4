import { describe, expect, it } from 'vitest';
import { silentLog } from '../../../src-main/base/log.ts';
import { MainWindow } from '../../../src-main/desktop/main-window.ts';
import { electronDouble, WindowDouble } from '../../builders/electron-double.ts';
import { FakeClock } from '../../builders/fake-clock.ts';

function open() {
  const double = electronDouble();
  const clock = new FakeClock();
  const window = new MainWindow({
    ...double.parts,
    origin: 'http://127.0.0.1:4170',
    preload: '/app/preload.cjs',
    icon: '/app/icon.png',
    devTools: false,
    clock,
    log: silentLog,
  });
  return { double, clock, window };
}

describe('the window', () => {
  it('comes back where it was: Electron keeps its place under its name', () => {
    open().window.show();
    expect(WindowDouble.made[0]?.options).toMatchObject({ name: 'main', windowStatePersistence: true });
  });

  it('has the preferences of the security list, said outright', () => {
    open().window.show();
    expect(WindowDouble.made[0]?.options.webPreferences).toEqual({
      preload: '/app/preload.cjs',
      devTools: false,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      spellcheck: false,
      safeDialogs: true,
    });
  });

  it('opens at a route, then is brought to the front and sent routes', () => {
    const { window } = open();
    window.show('/runs/1');
    window.show('/keys');
    window.show();
    const [made, ...more] = WindowDouble.made;
    expect([made?.url, made?.webContents.sent, made?.isShown, more]).toEqual([
      'http://127.0.0.1:4170/runs/1',
      [['rowbench:go', '/keys']],
      true,
      [],
    ]);
  });

  it('can be opened anew after it was closed, and is nobody meanwhile', () => {
    const { window } = open();
    window.show();
    WindowDouble.made[0]?.fire('closed');
    expect(window.contentsId).toBeUndefined();
    window.show();
    expect(window.contentsId).toBe(WindowDouble.made[1]?.webContents.id);
  });

  it('loads a page that died again, and asks when it dies too often', async () => {
    const { window, double } = open();
    window.show();
    const contents = WindowDouble.made[0]?.webContents;
    const die = (): void => void contents?.fire('render-process-gone', {}, { reason: 'crashed' });
    for (let crash = 0; crash < 3; crash += 1) die();
    expect([contents?.reloads, double.dialog.shown.length]).toEqual([3, 0]);
    double.dialog.presses.push('Close the window');
    die();
    await expect.poll(() => WindowDouble.made[0]?.isGone).toBe(true);
    expect(contents?.reloads).toBe(3);
  });

  it('forgets deaths that are long past', () => {
    const { window, clock, double } = open();
    window.show();
    const contents = WindowDouble.made[0]?.webContents;
    for (let crash = 0; crash < 10; crash += 1) {
      contents?.fire('render-process-gone', {}, { reason: 'oom' });
      clock.advance(6 * 60_000);
    }
    expect([contents?.reloads, double.dialog.shown]).toEqual([10, []]);
  });
});
