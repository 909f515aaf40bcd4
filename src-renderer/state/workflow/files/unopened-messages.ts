// Messages about a file of rows that the editor does not open: why, and what to do instead.
import { byteSize, count, maxRowsCharacters, maxRowsFiles, type UnopenedFile } from '#contract';

/** Label in a list of files: `rows.json · too large to edit here`. */
export const unopenedLabel = ({ name, reason }: UnopenedFile): string => `${name} · ${labels[reason]}`;

/** Two sentences. */
export const unopenedMessage = (file: UnopenedFile): string =>
  `${messages[file.reason](file)} Edit it in another program: previews and runs use it as it is saved there.`;

const labels: Readonly<Record<UnopenedFile['reason'], string>> = {
  large: 'too large to edit here',
  many: 'not open: too many files',
  unreadable: 'not readable as text',
};

const messages: Readonly<Record<UnopenedFile['reason'], (file: UnopenedFile) => string>> = {
  large: ({ name, bytes }) =>
    `${name} (${byteSize(bytes)}) is too large to edit here: files of rows can have ${count(maxRowsCharacters)} characters together.`,
  many: ({ name }) => `${name} cannot be edited here: ${maxRowsFiles} other files of rows are open.`,
  unreadable: ({ name }) => `${name} cannot be edited here: it is not UTF-8 text, or cannot be read.`,
};
