// Asks the user before the app quits with runs under way. Quitting loses nothing, but the user may want to wait.
import type { ElectronApi } from './electron-api.ts';

type Deps = Pick<ElectronApi, 'app' | 'dialog'> & {
  readonly active: () => number;
  /** Stops the server where it is; runs go on at the next start. */
  readonly close: () => Promise<void>;
};

type State = 'staying' | 'asking' | 'waiting' | 'leaving';
const answers = ['Quit, go on at the next start', 'Quit when they have ended', 'Cancel'] as const;

export class QuitGuard {
  readonly #deps: Deps;
  #state: State = 'staying';
  /** Called once the server has ended, in place of quitting; undefined: the app quits. */
  #end: (() => void) | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
    deps.app.on('before-quit', (event) => {
      if (this.#state === 'leaving') return;
      event.preventDefault();
      void this.ask();
    });
  }

  /** Called whenever runs have changed. */
  runsChanged(): void {
    if (this.#state === 'waiting' && this.#deps.active() === 0) void this.leave(this.#end);
  }

  /** @param end in place of quitting, once the server has ended; the last one that was asked for counts */
  async ask(end?: () => void): Promise<void> {
    const { active, dialog } = this.#deps;
    if (active() === 0) return this.leave(end);
    if (this.#state === 'asking' || this.#state === 'leaving') return;
    this.#state = 'asking';
    this.#end = end;
    const runs = active() === 1 ? 'A run is' : `${active()} runs are`;
    const { response } = await dialog.showMessageBox({
      type: 'question',
      message: `${runs} under way. Quit Rowbench?`,
      detail: 'Nothing is lost: finished rows are kept, and the rest runs at the next start.',
      buttons: [...answers],
      defaultId: 0,
      cancelId: 2,
      noLink: true,
    });
    if (response === 0) return this.leave(end);
    this.#state = response === 1 ? 'waiting' : 'staying';
    this.runsChanged();
  }

  /** Without a question, as when the system shuts down. */
  async leave(end = () => this.#deps.app.quit()): Promise<void> {
    if (this.#state === 'leaving') return;
    this.#state = 'leaving';
    await this.#deps.close();
    end();
  }
}
