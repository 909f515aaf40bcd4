// Questions that each text leads to are one request, since they are asked at almost the same time.
import type { AnswersView, EditorQuestion, QuestionName } from '#contract';

type Send = (version: number, questions: readonly EditorQuestion[]) => Promise<AnswersView>;
type Batch = {
  readonly version: number;
  readonly questions: EditorQuestion[];
  readonly view: Promise<AnswersView>;
};

export type QuestionResult =
  Exclude<AnswersView, { readonly answers: unknown }> | { readonly answer: unknown };

/** Quick questions that are asked about each text, and are one request if they are asked within this time, in ms. */
const ofEachText: readonly QuestionName[] = ['check', 'form', 'symbol', 'complete'];
const gatherMs = 5;
const maxQuestions = 10;

export class QuestionBatches {
  readonly #send: Send;
  #open: Batch | undefined;

  constructor(send: Send) {
    this.#send = send;
  }

  async ask(version: number, question: EditorQuestion): Promise<QuestionResult> {
    const batch = ofEachText.includes(question.name) ? this.#batchOf(version) : undefined;
    const index = (batch?.questions.push(question) ?? 1) - 1;
    const view = await (batch?.view ?? this.#send(version, [question]));
    return 'answers' in view ? { answer: view.answers[index] } : view;
  }

  #batchOf(version: number): Batch {
    const open = this.#open;
    if (open?.version === version && open.questions.length < maxQuestions) return open;
    const questions: EditorQuestion[] = [];
    const view = new Promise((resolve) => setTimeout(resolve, gatherMs)).then(() => {
      if (this.#open?.questions === questions) this.#open = undefined;
      return this.#send(version, questions);
    });
    this.#open = { version, questions, view };
    return this.#open;
  }
}
