/** A text that a workflow's file had. */
export type SavedText = {
  readonly id: string;
  /** When it was saved, or found where another program had saved it. */
  readonly at: string;
  readonly by: 'app' | 'outside';
};
