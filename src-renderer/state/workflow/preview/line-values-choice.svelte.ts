// Whether values stand at the ends of lines, as the user has chosen it in this browser.

const storedAs = 'rowbench.line-values';

export class LineValuesChoice {
  #isShown = $state(localStorage.getItem(storedAs) !== 'hidden');

  get isShown(): boolean {
    return this.#isShown;
  }

  toggle(): void {
    this.#isShown = !this.#isShown;
    localStorage.setItem(storedAs, this.#isShown ? 'shown' : 'hidden');
  }
}
