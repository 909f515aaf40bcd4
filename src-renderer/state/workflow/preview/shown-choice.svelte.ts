// Whether something is shown, as the user has chosen it in this browser.

type ShownPart = 'line-values' | 'value-fields';

export class ShownChoice {
  readonly #storedAs: string;
  #isShown = $state(true);

  constructor(part: ShownPart) {
    this.#storedAs = `rowbench.${part}`;
    this.#isShown = localStorage.getItem(this.#storedAs) !== 'hidden';
  }

  get isShown(): boolean {
    return this.#isShown;
  }

  toggle(): void {
    this.set(!this.#isShown);
  }

  set(isShown: boolean): void {
    this.#isShown = isShown;
    localStorage.setItem(this.#storedAs, isShown ? 'shown' : 'hidden');
  }
}
