// Opens the page's session with the one-time code in its address's fragment. A browser has no other way: the token is
// in memory only, so a reloaded page needs a new link. The desktop window needs no link: see `openHeldSession`.
import { problemText } from '../../format/problem-text.ts';
import { openHeldSession, openSession, type ControlApi } from '../../api/control-api.ts';
import { codeOfFragment, readLink } from './link-code.ts';
import { Session } from './session.svelte.ts';

export type EntryState =
  | { readonly kind: 'opening' }
  /** No link, or none that opens. */
  | { readonly kind: 'locked'; readonly problem: string | undefined }
  | { readonly kind: 'open'; readonly session: Session };

export class Entry {
  #state = $state.raw<EntryState>({ kind: 'opening' });

  constructor() {
    void this.#enter();
    // A link pasted into the address of a page that is open changes the fragment alone.
    addEventListener('hashchange', () => void this.#enter());
  }

  get state(): EntryState {
    return this.#state;
  }

  /** Goes on with a link that was pasted into the page. Throws for one that does not open it. */
  async take(pasted: string): Promise<void> {
    const link = readLink(pasted, location.href);
    if ('problem' in link) throw new Error(link.problem);
    this.#open(await openSession(link.code));
  }

  async #enter(): Promise<void> {
    const code = codeOfFragment(location.hash);
    if (code === undefined && this.#state.kind !== 'opening') return;
    // Remove the code from the address first: neither an onlooker nor the history may see it.
    if (code !== undefined) history.replaceState(history.state, '', location.pathname + location.search);
    try {
      this.#open(code === undefined ? await openHeldSession() : await openSession(code));
    } catch (error) {
      const problem = problemText(error);
      if (this.#state.kind !== 'open') this.#state = { kind: 'locked', problem };
    }
  }

  #open(api: ControlApi | undefined): void {
    if (this.#state.kind === 'open') {
      // A link may have opened while the page still asked whether it needs one.
      if (api === undefined) return;
      this.#state.session.close();
    }
    this.#state =
      api === undefined
        ? { kind: 'locked', problem: undefined }
        : { kind: 'open', session: new Session(api) };
  }
}
