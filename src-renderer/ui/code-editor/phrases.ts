// The words of the search panel, written as elsewhere in the app.
import { EditorState } from '@codemirror/state';

export const phrases = EditorState.phrases.of({
  next: 'Next',
  previous: 'Previous',
  all: 'Select all',
  'match case': 'Match case',
  regexp: 'Regular expression',
  'by word': 'Whole words',
  replace: 'Replace',
  'replace all': 'Replace all',
  Replace: 'Replace with',
  close: 'Close',
  go: 'Go',
});
