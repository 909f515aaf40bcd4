import { settingsSections, type SettingsSection } from '../shell/route.ts';

export const sectionTitles: Readonly<Record<SettingsSection, string>> = {
  server: 'Server',
  limits: 'Limits',
  resources: 'Resources',
  scenarios: 'Scenarios',
  network: 'Network',
  secrets: 'Secrets',
  hosted: 'Hosted service',
  browsers: 'Browsers',
  access: 'Access',
  retention: 'Retention',
  appearance: 'Appearance',
  folder: 'Data folder',
  about: 'About',
};

/** The parts that a server has: users and what they did are those of a team. */
export const sectionsOf = (isTeam: boolean): readonly SettingsSection[] =>
  settingsSections.filter((section) => isTeam || section !== 'access');
