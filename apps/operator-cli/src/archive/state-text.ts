import type { ArchivedMonth } from '@xs2a/event-store/months/archived-months';

/** Describes the state of a file, and the command that completes an interrupted operation. */
export const stateText = ({
  finishedAt,
  restoring,
}: Pick<ArchivedMonth, 'finishedAt' | 'restoring'>): string => {
  if (finishedAt !== null) return 'archived';
  return `interrupted: run \`archive ${restoring ? 'restore' : 'month'}\` again`;
};
