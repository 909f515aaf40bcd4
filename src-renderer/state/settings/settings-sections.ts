import type { SettingsSection } from '../route.ts';

export const sectionTitles: Readonly<Record<SettingsSection, string>> = {
  server: 'Server',
  limits: 'Limits',
  resources: 'Resources',
  scenarios: 'Scenarios',
  network: 'Network',
  secrets: 'Secrets',
  browsers: 'Browsers',
  retention: 'Retention',
  appearance: 'Appearance',
  folder: 'Data folder',
  about: 'About',
};
