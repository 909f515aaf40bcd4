// How people tell runs apart: a name, a note, tags, and a pin that retention respects.
import { z } from 'zod';
import type { ReadonlyDeep } from '../../base/readonly-deep.ts';
import { count } from '../format.ts';
import { lookupText } from '../lookup-text.ts';
import { labelLimits } from './label-limits.ts';

const textOf = (what: string, maxLength: number) =>
  lookupText
    .trim()
    .min(1, `${what} is empty`)
    .max(maxLength, `${what} has more than ${count(maxLength)} characters`);
const name = textOf('the name', labelLimits.name);
const note = textOf('the note', labelLimits.note);
const tag = textOf('a tag', labelLimits.tag);
const tooManyTags = `a run has at most ${labelLimits.tags} tags`;

export const runLabelsSchema = z.object({
  name: name.exactOptional(),
  note: note.exactOptional(),
  /** Distinct, in the order in which they were added. */
  tags: z.array(tag).min(1).max(labelLimits.tags, tooManyTags).exactOptional(),
  /** Retention never removes the run. */
  isPinned: z.literal(true).exactOptional(),
});
export type RunLabels = z.infer<typeof runLabelsSchema>;

/** Labels to change: an absent one stays as it is, and an empty text or list removes it. */
export const labelChangesSchema = z.strictObject({
  name: name.or(z.literal('')).optional(),
  note: note.or(z.literal('')).optional(),
  tags: z.array(tag).max(labelLimits.tags, tooManyTags).optional(),
  isPinned: z.boolean().optional(),
});
export type LabelChanges = ReadonlyDeep<z.infer<typeof labelChangesSchema>>;

/** The labels after the changes; undefined: there are none. */
export function changedLabels(labels: RunLabels = {}, changes: LabelChanges): RunLabels | undefined {
  const { name, note, tags = [], isPinned = false } = { ...labels, ...withoutUndefined(changes) };
  const changed: RunLabels = {
    ...(name === undefined || name === '' ? {} : { name }),
    ...(note === undefined || note === '' ? {} : { note }),
    ...(tags.length === 0 ? {} : { tags: [...new Set(tags)] }),
    ...(isPinned ? { isPinned } : {}),
  };
  return Object.keys(changed).length === 0 ? undefined : changed;
}

const withoutUndefined = (changes: LabelChanges): LabelChanges =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
