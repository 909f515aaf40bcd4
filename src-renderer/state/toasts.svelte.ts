import { errorText } from '#contract';
import { ControlError } from '../api/control-error.ts';
import type { AppRoute } from './shell/route.ts';

export type Toast = {
  readonly id: number;
  readonly text: string;
  readonly tone: 'done' | 'problem';
  /** Reverts the action that the toast confirms. */
  readonly undo?: (() => void) | undefined;
  /** Places where the problem is solved. Such a toast stays until it is dismissed. */
  readonly links?: readonly ToastLink[];
};

type ToastLink = { readonly label: string; readonly route: AppRoute };

/** Places where space is freed. */
const diskLinks: readonly ToastLink[] = [
  { label: 'Data folder', route: { screen: 'settings', section: 'folder' } },
  { label: 'Retention', route: { screen: 'settings', section: 'retention' } },
];

/** A confirmation is read at a glance; a problem or an undo needs more time. */
const shownMs = { done: 4_000, problem: 12_000, undo: 10_000 };
/** More would hide the page. */
const maxToasts = 4;

export class Toasts {
  #list = $state.raw<readonly Toast[]>([]);
  #nextId = 1;
  #isPaused = false;
  /** Ids of toasts whose time is up; they are removed once the list is resumed. */
  #due: readonly number[] = [];

  get list(): readonly Toast[] {
    return this.#list;
  }

  /** @param undo reverts the action; offered while the toast is shown */
  done(text: string, undo?: () => void): void {
    this.#add(text, 'done', { undo });
  }

  problem(error: unknown): void {
    const isDiskFull = error instanceof ControlError && error.code === 'disk_full';
    this.#add(errorText(error), 'problem', isDiskFull ? { links: diskLinks } : {});
  }

  dismiss(id: number): void {
    this.#list = this.#list.filter((toast) => toast.id !== id);
    // The pointer cannot leave an empty list.
    if (this.#list.length === 0) this.#isPaused = false;
  }

  /** Removes offers of an undo when the user goes to another screen: what they undo is no longer in sight. */
  dismissUndos(): void {
    for (const { id, undo } of this.#list) if (undo !== undefined) this.dismiss(id);
  }

  /** While the user hovers over a toast, none is removed, and new toasts do not move the others. */
  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    for (const id of this.#due) this.dismiss(id);
    this.#due = [];
  }

  #add(text: string, tone: Toast['tone'], offered: Pick<Toast, 'undo' | 'links'>): void {
    const id = this.#nextId;
    this.#nextId += 1;
    const toast = { id, text, tone, ...offered };
    // The newest is the last, at the foot of the page.
    if (this.#isPaused) this.#list = [toast, ...this.#list];
    else this.#list = [...this.#list.filter((other) => other.text !== text), toast].slice(-maxToasts);
    if (offered.links !== undefined) return;
    setTimeout(
      () => {
        if (this.#isPaused) this.#due = [...this.#due, id];
        else this.dismiss(id);
      },
      offered.undo === undefined ? shownMs[tone] : shownMs.undo,
    );
  }
}
