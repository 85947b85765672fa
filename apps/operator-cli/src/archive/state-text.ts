import type { ArchivedMonth } from '@xs2a/event-store/archive/archived-months';

/** Says what became of a file, and which command completes what was interrupted. */
export const stateText = ({
  finishedAt,
  restoring,
}: Pick<ArchivedMonth, 'finishedAt' | 'restoring'>): string => {
  if (finishedAt !== null) return 'archived';
  return `interrupted: run \`archive ${restoring ? 'restore' : 'month'}\` again`;
};
