/** Unsaved text of settings, by field: a user who visits another screen finds the text again. */
export class SettingDrafts {
  readonly #typed = new Map<string, string>();

  /** Undefined where nothing was typed. */
  of(field: string): string | undefined {
    return this.#typed.get(field);
  }

  /** @param typed undefined: it was saved, or given up */
  keep(field: string, typed: string | undefined): void {
    if (typed === undefined) this.#typed.delete(field);
    else this.#typed.set(field, typed);
  }
}
