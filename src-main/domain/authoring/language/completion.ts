// Completions at an offset of a workflow or tests file. Who calls: the editor, through the parser process.
import { testsJsonSchema } from '../../tests/tests-schema.ts';
import { readFile } from '../../workflow/read-file.ts';
import { workflowJsonSchema } from '../../workflow/workflow-schema.ts';
import { caretAt, caretInValue, type EditedValue } from './caret.ts';
import { codeCompletions } from './code-completion.ts';
import type { Completion, Completions, CompletionSite } from './completion-site.ts';
import { keyNames, valueNames } from './key-names.ts';
import type { LanguageContext } from './language-context.ts';
import type { FileSchema } from './schema-at.ts';
import { isJsonFile, valueStart, writtenValue } from './written-value.ts';

export type EditedText = {
  readonly text: string;
  /** The text of the workflow, if the file is its tests. */
  readonly workflowText?: string | undefined;
  /** A value of the workflow that is edited apart from the text; offsets are in it. */
  readonly value?: EditedValue | undefined;
};

const maxOptions = 200;

let workflowSchema: FileSchema | undefined;
let testsSchema: FileSchema | undefined;

export function schemaOf({ workflowText }: EditedText): FileSchema {
  if (workflowText === undefined) return (workflowSchema ??= workflowJsonSchema() as FileSchema);
  return (testsSchema ??= testsJsonSchema() as FileSchema);
}

/** Completions, or undefined where nothing can be completed. */
export function completionsAt(
  file: EditedText,
  offset: number,
  context: LanguageContext,
): Completions | undefined {
  const caret =
    file.value === undefined ? caretAt(file.text, offset) : caretInValue(file.text, file.value, offset);
  if (caret === undefined) return undefined;
  const isTests = file.workflowText !== undefined;
  const workflow = isTests ? (readFile(file.workflowText ?? '').document?.data ?? null) : caret.data;
  const site: CompletionSite = { caret, schema: schemaOf(file), workflow, isTests, context, offset };
  const inCode = codeCompletions(site);
  if (inCode !== undefined && inCode.options.length > 0) return limited(inCode);
  const isJson = isJsonFile(file.text);
  const keys = caret.isKey || caret.startsLine ? keyOptions(site, file.text, isJson) : [];
  const values = caret.isKey
    ? []
    : valueNames(site).map(({ name, ...note }) => optionOf(name, writtenValue(name, caret, isJson), note));
  return limited({ from: valueStart(caret), options: [...values, ...keys] });
}

const limited = ({ from, options }: Completions): Completions | undefined =>
  options.length === 0 ? undefined : { from, options: options.slice(0, maxOptions) };

const optionOf = (label: string, insert: string, note: Pick<Completion, 'detail' | 'info'>): Completion => ({
  label,
  ...note,
  ...(insert === label ? {} : { insert }),
});

function keyOptions(site: CompletionSite, text: string, isJson: boolean): readonly Completion[] {
  const { caret } = site;
  const rest = text.slice(caret.to);
  const isQuoted = caret.style === 'double' || caret.style === 'single';
  const hasColon = /^[ \t]*:/.test(rest);
  return keyNames(site).map(({ name, ...note }) => {
    const written = writtenValue(name, caret, isJson);
    return optionOf(name, written + (hasColon || isQuoted ? '' : ': '), note);
  });
}
