// Name, note and tags of a run as the texts of a form.
import { labelLimits, type LabelChanges, type RunLabels } from '#contract';

type LabelTexts = { readonly name: string; readonly note: string; readonly tags: string };

export const labelTextsOf = ({ name = '', note = '', tags = [] }: RunLabels = {}): LabelTexts => ({
  name,
  note,
  tags: tags.join(', '),
});

/** The labels that the user changed, so that a change from elsewhere to another label stays. */
export function changesTo(before: LabelTexts, now: LabelTexts): LabelChanges {
  return {
    ...(now.name.trim() === before.name ? {} : { name: now.name.trim() }),
    ...(now.note.trim() === before.note ? {} : { note: now.note.trim() }),
    ...(now.tags === before.tags ? {} : { tags: parseTags(now.tags) }),
  };
}

/** Why the tags cannot be saved. */
export function tagsProblem(text: string): string | undefined {
  const tags = parseTags(text);
  if (tags.length > labelLimits.tags) return `A run can have up to ${labelLimits.tags} tags.`;
  const tooLong = tags.find(({ length }) => length > labelLimits.tag);
  return tooLong && `A tag can have up to ${labelLimits.tag} characters: ${tooLong.slice(0, 20)}…`;
}

const parseTags = (text: string): readonly string[] => [
  ...new Set(
    text
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
  ),
];
