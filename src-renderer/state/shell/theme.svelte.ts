export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

/** Key of the theme in the browser's storage. */
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

  /** Chooses the next theme, for a button that cycles through all of them. */
  next(): void {
    this.choose(themes[(themes.indexOf(this.#choice) + 1) % themes.length] ?? 'system');
  }

  #show(): void {
    document.documentElement.dataset['theme'] = this.#choice;
  }
}
