// Untrusted text as nodes of the page: text, and the names of characters that cannot be seen.
import { visibleSegments } from '../../format/shown-text.ts';

export function shownNodes(text: string): readonly Node[] {
  return visibleSegments(text).map(({ text: part, isMark }) =>
    isMark === true ? hiddenMark(part) : document.createTextNode(part),
  );
}

/** A box with the name of a character that cannot be seen. */
export function hiddenMark(name: string): HTMLElement {
  const mark = document.createElement('span');
  mark.className = 'hidden-mark';
  mark.textContent = name;
  return mark;
}

export function elementWith(className: string, text: string): HTMLElement {
  const element = document.createElement('div');
  element.className = className;
  element.append(...shownNodes(text));
  return element;
}
