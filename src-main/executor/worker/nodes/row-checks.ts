// Runs the nodes of a workflow that checks outputs of a test (services/tests/check-outputs.ts), whose rows are `CheckedRow`s:
// `values` gives the values that author code in rules is about, `checks` is that code, and `result` checks the row
// with what the code returned. Rules that are data are evaluated here, within the limits of a row, not as code.
import { isJsonObject } from '../../../base/json-value.ts';
import { checkRow, type CheckedRow, type RowChecks } from '../../../domain/tests/check-row.ts';
import { codeChecks, fieldValue, type CheckResult } from '../../../domain/tests/field-rules.ts';
import type { WorkflowNode } from '../../../domain/workflow/workflow.ts';
import type { PlanPart } from '../../plan.ts';
import { sha256 } from '../functions/encodings.ts';
import type { NodeRunner } from './node-runner.ts';

/** The runner of the nodes `values` and `result` of a workflow that checks outputs; undefined for all other nodes. */
export function rowCheckRunner({ id }: WorkflowNode, plan: PlanPart): NodeRunner | undefined {
  const { rowChecks, nodes } = plan;
  if (rowChecks === undefined) return undefined;
  if (id === 'values') return valuesRunner(rowChecks);
  if (id !== 'result') return undefined;
  const codeIndex = nodes.findIndex((node) => node.id === 'checks');
  return (scope) => {
    const results = (scope.values[codeIndex] ?? []) as readonly CheckResult[];
    const findings = checkRow(rowChecks, scope.input as CheckedRow, { results, digest });
    // The members of an output, as output nodes give them.
    return JSON.stringify(findings).slice(1, -1);
  };
}

/** A list with the value of each code check's field; null for a field that is not there. */
function valuesRunner({ fields }: RowChecks): NodeRunner {
  const checked = codeChecks(fields).map(({ field }) => field ?? '');
  return ({ input }) => {
    const { output } = input as CheckedRow;
    return Object.freeze(
      isJsonObject(output) ? checked.map((field) => fieldValue(output, field) ?? null) : [],
    );
  };
}

const digest = (text: string): string => sha256(text, 'base64');
