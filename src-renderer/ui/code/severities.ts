import CircleAlert from '@lucide/svelte/icons/circle-alert';
import Info from '@lucide/svelte/icons/info';
import TriangleAlert from '@lucide/svelte/icons/triangle-alert';

/** Icon and name of each severity of an issue. */
export const severities = {
  error: { Icon: CircleAlert, title: 'Error' },
  warning: { Icon: TriangleAlert, title: 'Warning' },
  note: { Icon: Info, title: 'Note' },
} as const;
