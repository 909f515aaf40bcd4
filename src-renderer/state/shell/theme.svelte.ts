export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

/** The only item that the page stores; it reveals nothing about the user's work. */
const storedAs = 'rowbench.theme';

export class ThemeChoice {
  #choice = $state<Theme>(themes.find((theme) => theme === localStorage.getItem(storedAs)) ?? 'system');

  constructor() {
    this.#show();
  }

  get choice(): Theme {
    return this.#choice;
  }

  choose(theme: Theme): void {
    this.#choice = theme;
    localStorage.setItem(storedAs, theme);
    this.#show();
  }

  /** The next of the three, for one button. */
  next(): void {
    this.choose(themes[(themes.indexOf(this.#choice) + 1) % themes.length] ?? 'system');
  }

  #show(): void {
    document.documentElement.dataset['theme'] = this.#choice;
  }
}
