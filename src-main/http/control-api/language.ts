// Procedures that help with writing workflow files.
import type { Handlers } from '../../contract/index.ts';
import type { LanguageService } from '../../services/language-service.ts';
import type { WorkflowService } from '../../services/workflow-service.ts';
import { findWorkflow } from './workflows.ts';

export type LanguageDeps = { readonly workflows: WorkflowService; readonly language: LanguageService };

export const createLanguageHandlers = ({ workflows, language }: LanguageDeps) =>
  ({
    'author.fixes': async ({ workflowId, text }) =>
      language.fixes(await findWorkflow(workflows, workflowId), text),
    'author.complete': async ({ workflowId, text, ...at }) =>
      (await language.complete(await findWorkflow(workflows, workflowId), text, at)) ?? null,
    'author.symbol': async ({ workflowId, text, ...at }) =>
      language.symbol(await findWorkflow(workflows, workflowId), text, at),
    'author.names': async ({ workflowId }) => language.names(await findWorkflow(workflows, workflowId)),
  }) satisfies Partial<Handlers>;
