import type { RunView } from '#contract';

export type Command = {
  readonly id: string;
  readonly title: string;
  /** Search terms that find the command, besides its title. */
  readonly words?: string;
  /** Labels of the keys that trigger the command. */
  readonly keys?: readonly string[];
  readonly section: string;
  /** The run that the command opens, or the last run of its workflow. */
  readonly run?: RunView | undefined;
  /** Why the user may not do it; undefined: they may. */
  readonly refusal?: string | undefined;
  readonly act: () => void;
};

/** A command that the visible screen has in a menu or a bar, too. */
export type OfferedVerb = Omit<Command, 'section'> & { readonly isDisabled?: boolean };

/**
 * Commands that match the typed text, best match first. Each word must begin a word of the title, or be in the title or
 * in the search terms; otherwise its letters must occur in the title in their order. An empty text matches all commands.
 */
export function rankCommands(commands: readonly Command[], typed: string): readonly Command[] {
  const words = typed
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return commands;
  const scored = commands.map((command, order) => ({ command, order, score: scoreOf(command, words) }));
  // Letters in their order match almost anything: they count only if there is no better match.
  const minScore = scored.some(({ score }) => score > 1) ? 2 : 1;
  return scored
    .filter(({ score }) => score >= minScore)
    .sort((a, b) => b.score - a.score || a.order - b.order)
    .map(({ command }) => command);
}

function scoreOf({ title, words = '' }: Command, typed: readonly string[]): number {
  const own = title.toLowerCase();
  const other = words.toLowerCase();
  let total = 0;
  for (const word of typed) {
    const score = scoreWord(own, other, word);
    if (score === 0) return 0;
    total += score;
  }
  return total / typed.length;
}

function scoreWord(own: string, other: string, word: string): number {
  if (own.startsWith(word)) return 6;
  if (own.split(/[^\p{L}\p{N}]+/u).some((part) => part.startsWith(word))) return 5;
  if (own.includes(word)) return 4;
  if (other.includes(word)) return 3;
  return isInOrder(own, word) ? 1 : 0;
}

function isInOrder(text: string, letters: string): boolean {
  let at = -1;
  for (const letter of letters) {
    at = text.indexOf(letter, at + 1);
    if (at < 0) return false;
  }
  return true;
}
