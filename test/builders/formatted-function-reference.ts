import { format, resolveConfig } from 'prettier';
import { functionReference } from '../../src-main/domain/expressions/function-reference.ts';

/** The reference of functions as the project's formatter lays it out. */
export async function formattedFunctionReference(): Promise<string> {
  const config = await resolveConfig('docs/guide/functions.md');
  return format(functionReference(), { ...config, parser: 'markdown' });
}
