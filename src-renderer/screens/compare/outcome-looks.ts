// How the result of a row looks: always colour, icon and word together.
import CircleCheck from '@lucide/svelte/icons/circle-check';
import CircleDashed from '@lucide/svelte/icons/circle-dashed';
import CircleX from '@lucide/svelte/icons/circle-x';
import Equal from '@lucide/svelte/icons/equal';
import Minus from '@lucide/svelte/icons/minus';
import Pencil from '@lucide/svelte/icons/pencil';
import Plus from '@lucide/svelte/icons/plus';
import type { Component } from 'svelte';
import type { PairOutcome } from '#contract';

type Look = {
  readonly label: string;
  readonly icon: Component<{ size?: number; 'aria-hidden'?: 'true' }>;
  readonly colour: 'amber' | 'red' | 'green' | 'grey';
};

export const outcomeLooks: Readonly<Record<PairOutcome, Look>> = {
  changed: { label: 'Changed', icon: Pencil, colour: 'amber' },
  newlyFailing: { label: 'Newly failing', icon: CircleX, colour: 'red' },
  fixed: { label: 'Fixed', icon: CircleCheck, colour: 'green' },
  onlyInFirst: { label: 'Only before', icon: Minus, colour: 'grey' },
  onlyInSecond: { label: 'Only after', icon: Plus, colour: 'grey' },
  same: { label: 'Same', icon: Equal, colour: 'grey' },
  bothFailed: { label: 'Failed in both', icon: CircleX, colour: 'red' },
  notCompared: { label: 'Not compared', icon: CircleDashed, colour: 'grey' },
};
