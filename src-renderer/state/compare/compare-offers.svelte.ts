// Comparisons of a run: those that the server offers, the best one first, and one with a run that the user picks.
import { counted, shortId, type ComparisonPartner } from '#contract';
import type { App } from '../shell/app.svelte.ts';
import { Query } from '../query.svelte.ts';
import { partnerTitles } from './compared-side.ts';

type CompareVerb = {
  readonly id: string;
  /** Other side of the comparison, such as `The run before it`. */
  readonly title: string;
  readonly note?: string;
  readonly startsGroup?: boolean;
  readonly act: () => void;
};

export class CompareOffers {
  readonly #app: App;
  readonly #partners = new Query<readonly ComparisonPartner[]>();
  readonly #pick: () => void;

  /** @param pick lets the user pick another run */
  constructor(app: App, pick: () => void) {
    this.#app = app;
    this.#pick = pick;
  }

  /** Asks the server, which knows the rows in common once the run has ended. */
  async load(runId: string): Promise<void> {
    await this.#partners.load(() => this.#app.session.call('run.comparePartners', { runId }));
  }

  readonly verbs: readonly CompareVerb[] = $derived([
    ...(this.#partners.value ?? []).map((partner) => this.#verbOf(partner)),
    { id: 'pick', title: 'Another run…', startsGroup: true, act: () => this.#pick() },
  ]);

  #verbOf({ reason, otherRunId, otherName, rows, firstRunId, secondRunId }: ComparisonPartner): CompareVerb {
    const note = [shortId(otherRunId), otherName, `${counted(rows, 'row')} in common`];
    return {
      id: reason,
      title: partnerTitles[reason],
      note: note.filter((text) => text !== undefined).join(' · '),
      act: () => this.#app.router.go({ screen: 'compare', firstRunId, secondRunId, query: '' }),
    };
  }
}

/** The same actions where their menu does not say what they are about. */
export const namedCompareVerbs = (verbs: readonly CompareVerb[]): readonly CompareVerb[] =>
  verbs.map((verb) => ({
    ...verb,
    id: `compare-${verb.id}`,
    title: `Compare with ${verb.title.charAt(0).toLowerCase()}${verb.title.slice(1)}`,
    startsGroup: false,
  }));
