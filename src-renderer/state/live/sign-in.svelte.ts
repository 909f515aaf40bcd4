// Signs the page in: with this browser's pairing, else with the one-time code in the fragment of its address, which
// pairs the browser. The desktop window needs neither: see `resumeSession`.
import { errorText } from '#contract';
import { openSession, resumeSession, signInWith, type ControlApi } from '../../api/control-api.ts';
import { ControlError } from '../../api/control-error.ts';
import { codeOfFragment, readLink } from './link-code.ts';
import { Session } from './session.svelte.ts';

export type SignInState =
  | { readonly kind: 'opening' }
  /** The browser is not paired, or its pairing or link was rejected with this problem. */
  | { readonly kind: 'locked'; readonly problem: string | undefined }
  /** The user of a team server has to sign in. */
  | { readonly kind: 'signed-out' }
  | { readonly kind: 'open'; readonly session: Session };

export class SignIn {
  #state = $state.raw<SignInState>({ kind: 'opening' });

  constructor() {
    void this.#start();
    // A link that is pasted into the address bar of an open page changes only the fragment.
    addEventListener('hashchange', () => void this.#start());
  }

  get state(): SignInState {
    return this.#state;
  }

  /** Opens a session with a link that was pasted into the page. Throws if the link is invalid or used. */
  async openLink(pasted: string): Promise<void> {
    const link = readLink(pasted, location.href);
    if ('problem' in link) throw new Error(link.problem);
    this.#open(await openSession(link.code));
  }

  /** Signs in to a team server. Throws for a token that is not valid. */
  async signIn(token: string): Promise<void> {
    this.#open(await signInWith(token));
  }

  async #start(): Promise<void> {
    const code = codeOfFragment(location.hash);
    if (code === undefined && this.#state.kind !== 'opening') return;
    // The code is removed from the address first, so that neither an onlooker nor the history sees it.
    if (code !== undefined) history.replaceState(history.state, '', location.pathname + location.search);
    try {
      this.#open(await this.#openApi(code));
    } catch (error) {
      if (this.#state.kind !== 'open') this.#state = stateAfter(error);
    }
  }

  /** A paired browser uses up no link. A page that is open already got its link because its session had ended. */
  async #openApi(code: string | undefined): Promise<ControlApi | undefined> {
    if (code === undefined) return resumeSession();
    const resumed =
      this.#state.kind === 'opening' ? await resumeSession().catch(undefinedUnlessTeam) : undefined;
    return resumed ?? openSession(code);
  }

  #open(api: ControlApi | undefined): void {
    if (this.#state.kind === 'open') {
      // A link may have opened a session while the page still checked whether it needs one.
      if (api === undefined) return;
      this.#state.session.close();
    }
    this.#state =
      api === undefined
        ? { kind: 'locked', problem: undefined }
        : { kind: 'open', session: new Session(api) };
  }
}

const isTokenNeeded = (error: unknown): boolean =>
  error instanceof ControlError && error.code === 'token_needed';

const stateAfter = (error: unknown): SignInState =>
  isTokenNeeded(error) ? { kind: 'signed-out' } : { kind: 'locked', problem: errorText(error) };

/** A link opens no team server. */
function undefinedUnlessTeam(error: unknown): undefined {
  if (isTokenNeeded(error)) throw error;
}
