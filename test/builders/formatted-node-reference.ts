import { format, resolveConfig } from 'prettier';
import { nodeReference } from '../../src-main/domain/workflow/node-reference.ts';

/** The node reference as the project's formatter lays it out. */
export async function formattedNodeReference(): Promise<string> {
  const config = await resolveConfig('docs/guide/nodes.md');
  return format(nodeReference(), { ...config, parser: 'markdown' });
}
