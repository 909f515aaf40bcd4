import { counted } from '../format.ts';

/** Text about equal requests that got different answers while they were recorded. */
export const differingAnswersText = (requests: number): string =>
  `${counted(requests, 'request')} got different answers; the first is kept`;
