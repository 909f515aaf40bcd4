import { TableFiles } from '../files/table-files.ts';
import { nodeFileSystem } from '../files/node-file-system.ts';
import { LanguageService, type LanguageServiceDeps } from '../services/language-service.ts';

export const openLanguage = (deps: Omit<LanguageServiceDeps, 'fileSystem' | 'tables'>): LanguageService =>
  new LanguageService({ ...deps, fileSystem: nodeFileSystem, tables: new TableFiles() });
