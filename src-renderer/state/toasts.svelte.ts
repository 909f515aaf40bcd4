export type Toast = { readonly id: number; readonly text: string; readonly tone: 'done' | 'problem' };

/** A word of what was done is read at a glance; a problem takes reading, and may have to be copied. */
const shownMs = { done: 4_000, problem: 12_000 };
/** More would hide the page. */
const mostToasts = 4;

export class Toasts {
  #list = $state.raw<readonly Toast[]>([]);
  #nextId = 1;

  get list(): readonly Toast[] {
    return this.#list;
  }

  done(text: string): void {
    this.#add(text, 'done');
  }

  problem(error: unknown): void {
    this.#add(error instanceof Error ? error.message : String(error), 'problem');
  }

  dismiss(id: number): void {
    this.#list = this.#list.filter((toast) => toast.id !== id);
  }

  #add(text: string, tone: Toast['tone']): void {
    const id = this.#nextId;
    this.#nextId += 1;
    this.#list = [...this.#list.filter((toast) => toast.text !== text), { id, text, tone }].slice(
      -mostToasts,
    );
    setTimeout(() => this.dismiss(id), shownMs[tone]);
  }
}
