// The order of steps over several files. Each editor has the steps of its own file; a step over several files is one in
// each of them. The last step in any file is undone first, so the texts are always those right after that step.

/** A step of undo: files, each as often as its editor has a step of its own. */
export type UndoStep = readonly string[];

export class UndoOrder {
  #done: string[][] = [];
  #undone: string[][] = [];
  /** The files of a step over several files while it is made. */
  #group: string[] | undefined;

  /** The step that would be undone next. */
  get last(): UndoStep | undefined {
    return this.#done.at(-1);
  }

  /** Adds a step of the file; steps that are added during `asOne` are one. */
  add(file: string): void {
    this.#undone = [];
    if (this.#group !== undefined) this.#group.push(file);
    else this.#done.push([file]);
  }

  /** Records that the last step of the file has grown, for example by typing: nothing can be redone. */
  extend(): void {
    this.#undone = [];
  }

  /**
   * Makes one step of all that `act` adds.
   * @param joined the step that it becomes a part of, if that is still the last one
   */
  asOne(act: () => void, joined?: UndoStep): void {
    const group: string[] = [];
    this.#group = group;
    try {
      act();
    } finally {
      this.#group = undefined;
      const last = this.#done.at(-1);
      if (last !== undefined && last === joined) last.push(...group);
      else if (group.length > 0) this.#done.push(group);
    }
  }

  /**
   * Undoes the last step that there is.
   * @param undo undoes the last step of a file, and gives false if there is none
   * @returns the files that have changed
   */
  undo(undo: (file: string) => boolean): readonly string[] {
    return move(this.#done, this.#undone, undo);
  }

  /** Makes the step again that was undone last. */
  redo(redo: (file: string) => boolean): readonly string[] {
    return move(this.#undone, this.#done, redo);
  }
}

/** Skips steps that no file has any more, since editors forget their oldest steps. */
function move(from: string[][], to: string[][], act: (file: string) => boolean): readonly string[] {
  for (let step = from.pop(); step !== undefined; step = from.pop()) {
    const moved = step.filter(act);
    if (moved.length === 0) continue;
    to.push(moved);
    return [...new Set(moved)];
  }
  return [];
}
