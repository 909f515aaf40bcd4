/** `AGENTS.md` for a folder of workflows: how a coding agent validates, runs and tests them. */
export const agentsFile = `# Working on the workflows of this folder

Each \`NAME.workflow.yaml\` describes what happens to one row; \`NAME.tests.yaml\` has its tests. Rowbench runs them on this machine.

After each change, run these commands in this folder and fix what they report:

\`\`\`sh
rowbench validate --strict --json    # every mistake with file, line and column
rowbench test                        # all tests, offline
rowbench run NAME.workflow.yaml --json
\`\`\`

- \`rowbench run\` uses the test rows of the workflow, or \`--rows FILE\`. \`--mocks\` makes it work without a network,
  \`--replay\` uses recorded answers, and \`--trace 3\` shows what each node did with row 3.
- A value that begins with \`=\` is a JavaScript expression over \`row\` and \`nodes\`; \`{{ }}\` puts an expression into text.
- Never write a token or password into a file. A node names a secret: \`auth: { secret: CRM_TOKEN }\`, and the user stores it with
  \`rowbench secrets set CRM_TOKEN --host api.example.com\`.
- Keep comments, and change only the lines that the task needs.
- After a change of behaviour, add a test: \`rowbench runs save-test RUN\` makes one of a run.
- \`rowbench COMMAND --help\` has examples for every command.
`;
