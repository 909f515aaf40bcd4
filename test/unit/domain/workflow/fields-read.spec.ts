// The fields of the row that a node reads: those in which a failed row is fixed.
import { expect, it } from 'vitest';
import { fieldsReadBy } from '../../../../src-main/domain/workflow/fields-read.ts';
import { parseWorkflow } from '../../../../src-main/domain/workflow/parse-workflow.ts';

const text = `rowbench: 1
id: contacts
nodes:
  - { id: input, type: input }
  - { id: late, type: assert, that: "=nodes.money > 0", message: "{{ row.country }} is odd" }
  - id: money
    type: code
    code: |
      const { account } = row;
      if (row.amount < 0) throw new Error(\`The amount of \${row.customer_id} is negative, see \${account}\`);
      return row.amount;
  - { id: sign, type: assert, that: "=row.amount >= 0", message: "The amount of {{ row.customer_id }} is negative" }
  - { id: any, type: code, code: "return Object.keys(row).length" }
  - { id: computed, type: set, values: { a: "=row[row.key]" } }
  - { id: reader, type: set, values: { a: "=nodes.any" } }
  - { id: quiet, type: code, code: "return row.a", onError: { value: "=row.b" } }
  - { id: result, type: output, fields: { m: "=nodes.money", n: "=row.name" } }
`;

it('a node reads fields in what can fail, and through other nodes, but not in the text of its error', async () => {
  const { workflow, issues } = parseWorkflow(text);
  expect(issues.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(fieldsReadBy(workflow?.nodes ?? [])).toEqual({
    input: [],
    late: ['account', 'amount'],
    money: ['account', 'amount'],
    sign: ['amount'],
    quiet: ['a'],
    result: ['name', 'account', 'amount'],
  });
});
