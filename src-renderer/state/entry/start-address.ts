import type { StartInput } from '#contract';

/** Where rows of a workflow go to become a run, below the control API's prefix. */
export function startAddress(workflowId: string, { mode, mocks, scenario, rerunOf }: StartInput): string {
  const query = new URLSearchParams({
    ...(mode === undefined ? {} : { mode }),
    ...(mocks === undefined || Object.keys(mocks).length === 0 ? {} : { mocks: JSON.stringify(mocks) }),
    ...(scenario === undefined || scenario.trim() === '' ? {} : { scenario: scenario.trim() }),
    ...(rerunOf === undefined ? {} : { rerunOf }),
  }).toString();
  return `/workflows/${encodeURIComponent(workflowId)}/runs${query === '' ? '' : `?${query}`}`;
}
