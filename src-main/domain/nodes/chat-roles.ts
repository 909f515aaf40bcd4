/** Roles of the messages to a model. Apart from `llm.ts`, whose schemas no worker needs. */
export const chatRoles = ['system', 'developer', 'user', 'assistant'] as const;
