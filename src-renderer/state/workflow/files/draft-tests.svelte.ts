// The tests of a workflow while its files are edited: they run after each pause in typing, with the texts of the editor.
// Who calls: the tab of tests, while it is in sight.
//
// INVARIANT: results are shown as old unless they belong to the editor's texts.
import {
  errorText,
  type DraftTestedFileView,
  type DraftTestsView,
  type EditedFileView,
  type QuestionInput,
} from '#contract';
import { LatestOnly } from '../../latest-only.ts';
import type { Session } from '../../live/session.svelte.ts';

type DraftText = Pick<EditedFileView, 'name' | 'text'>;

/** Runs the tests; undefined if the texts changed meanwhile. */
type TestsOfDraft = (input: QuestionInput<'tests'>) => Promise<DraftTestsView | undefined>;

type DraftTestsOptions = {
  readonly run: TestsOfDraft;
  /** Pause in typing before the tests run, in ms. */
  readonly pauseMs?: number;
};

/** Longer than that of the preview, which the user looks at while typing. */
const usualPauseMs = 250;

export class DraftTests {
  readonly #options: DraftTestsOptions;
  readonly #latest = new LatestOnly();
  #texts = $state.raw<readonly DraftText[]>();
  #profile = '';
  #faults = '';
  #shownTexts = $state.raw<readonly DraftText[]>();
  #view = $state.raw<DraftTestsView>();
  #files = $state.raw<readonly DraftTestedFileView[]>([]);
  #problem = $state<string>();

  constructor(options: DraftTestsOptions) {
    this.#options = options;
  }

  /** Counts of the last answer; undefined before the first. */
  get view(): DraftTestsView | undefined {
    return this.#view;
  }

  /** The tests files. A file that cannot run keeps the results of its last texts that could. */
  get files(): readonly DraftTestedFileView[] {
    return this.#files;
  }

  /** True if the results are of earlier texts. */
  get isOld(): boolean {
    return this.#shownTexts !== this.#texts || this.#problem !== undefined;
  }

  /** Why the tests could not be run, such as that the workflow is not trusted. */
  get problem(): string | undefined {
    return this.#problem;
  }

  get count(): number {
    return this.#files.reduce((sum, { tests }) => sum + tests.length, 0);
  }

  /** The texts that differ from the files. The first ones run at once, later ones after a pause in typing. */
  follow(texts: readonly DraftText[]): void {
    if (this.#texts !== undefined && areEqual(texts, this.#texts)) return;
    const isFirst = this.#texts === undefined;
    this.#texts = texts;
    if (isFirst) void this.refresh();
    else this.#latest.startLater(this.#options.pauseMs ?? usualPauseMs, () => void this.refresh());
  }

  /** The profile of the tests; empty: the defaults of the file. The tests run with it at once if they have run. */
  useProfile(name: string): void {
    if (name === this.#profile) return;
    this.#profile = name;
    void this.refresh();
  }

  /** Faults of services that all tests go through; empty: none. They run with them at once. */
  useFaults(text: string): void {
    if (text === this.#faults) return;
    this.#faults = text;
    void this.refresh();
  }

  /** Runs the tests now. Never rejects. @param isPatient true: tests that take long run to their end */
  async refresh(isPatient = false): Promise<void> {
    const texts = this.#texts;
    if (texts === undefined) return;
    const signal = this.#latest.start();
    try {
      const view = await this.#options.run({
        ...(isPatient ? { isPatient } : {}),
        ...(this.#profile === '' ? {} : { profile: this.#profile }),
        ...(this.#faults === '' ? {} : { faults: this.#faults }),
      });
      if (signal.aborted || view === undefined || view.superseded === true) return;
      this.#problem = undefined;
      this.#shownTexts = texts;
      this.#view = view;
      this.#files = view.files.map((file) => this.#withLastResults(file));
    } catch (error) {
      if (!signal.aborted) this.#problem = errorText(error);
    }
  }

  close(): void {
    this.#latest.cancel();
  }

  #withLastResults(file: DraftTestedFileView): DraftTestedFileView {
    if (file.issues.length === 0) return file;
    const { tests = [], results = [] } = this.#files.find(({ name }) => name === file.name) ?? {};
    return { ...file, tests, results };
  }
}

const areEqual = (some: readonly DraftText[], others: readonly DraftText[]): boolean =>
  some.length === others.length &&
  some.every(({ name, text }, index) => name === others[index]?.name && text === others[index]?.text);

/** Runs the tests of the files on the disk, for a user who cannot edit them; without the right to run any, lists them. */
export const runStoredTests =
  (call: Session['call'], workflowId: string, canRun: boolean): TestsOfDraft =>
  async ({ profile }) => {
    const { files } = await call('workflow.tests', { workflowId });
    const request = { workflowId, ...(profile === undefined ? {} : { profile }) };
    const ran = canRun
      ? await call('workflow.runTests', request)
      : { files: [], passed: 0, failed: 0, ms: 0 };
    return {
      ...ran,
      files: files.map((file) => ({
        ...file,
        issues: file.issues.map((issue) => ({ ...issue, file: file.file })),
        results: ran.files.find((each) => each.file === file.file)?.results ?? [],
      })),
    };
  };
