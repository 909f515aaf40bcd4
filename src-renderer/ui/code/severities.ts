import CircleAlert from '@lucide/svelte/icons/circle-alert';
import Info from '@lucide/svelte/icons/info';
import TriangleAlert from '@lucide/svelte/icons/triangle-alert';

/** Icon, name and colour of each severity of an issue. */
export const severities = {
  error: { Icon: CircleAlert, title: 'Error', colour: 'red' },
  warning: { Icon: TriangleAlert, title: 'Warning', colour: 'amber' },
  note: { Icon: Info, title: 'Note', colour: 'quiet' },
} as const;
