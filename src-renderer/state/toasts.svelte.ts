import { problemText } from '../format/problem-text.ts';

export type Toast = {
  readonly id: number;
  readonly text: string;
  readonly tone: 'done' | 'problem';
  /** Takes back what was done. */
  readonly undo?: (() => void) | undefined;
};

/** A word of what was done is read at a glance; a problem takes reading, and what can be undone takes thought. */
const shownMs = { done: 4_000, problem: 12_000, undo: 10_000 };
/** More would hide the page. */
const mostToasts = 4;

export class Toasts {
  #list = $state.raw<readonly Toast[]>([]);
  #nextId = 1;

  get list(): readonly Toast[] {
    return this.#list;
  }

  /** @param undo takes it back, while the toast is shown */
  done(text: string, undo?: () => void): void {
    this.#add(text, 'done', undo);
  }

  problem(error: unknown): void {
    this.#add(problemText(error), 'problem');
  }

  dismiss(id: number): void {
    this.#list = this.#list.filter((toast) => toast.id !== id);
  }

  #add(text: string, tone: Toast['tone'], undo?: () => void): void {
    const id = this.#nextId;
    this.#nextId += 1;
    this.#list = [...this.#list.filter((toast) => toast.text !== text), { id, text, tone, undo }].slice(
      -mostToasts,
    );
    setTimeout(() => this.dismiss(id), undo === undefined ? shownMs[tone] : shownMs.undo);
  }
}
