import {
  maxListed,
  type NotificationFilter,
  notificationStates,
} from '@xs2a/contracts/notifications.contract';
import { CallFailed } from '@xs2a/domain/failure/failed';
import { fail } from '@xs2a/domain/failure/failures';
import { isMaxText } from '@xs2a/domain/text/text';
import { isUuid } from '@xs2a/domain/text/uuid';

/** A member of a filter, if its value is valid, and what to send instead. */
type Rule = readonly [path: string, isValid: boolean, text: string];

const states: readonly unknown[] = notificationStates;
/** An absent member may arrive as null. */
const isAbsent = (value: unknown): boolean => value === undefined || value === null;

const rulesOf = (filter: Readonly<Record<keyof NotificationFilter, unknown>>): readonly Rule[] => {
  const { states: wanted, tppId, resourceId, limit } = filter;
  return [
    [
      'states',
      Array.isArray(wanted) && wanted.every((state) => states.includes(state)),
      `Send a list of ${notificationStates.join(', ')}.`,
    ],
    ['tppId', isAbsent(tppId) || isMaxText(tppId, 255), 'Send 1 to 255 characters.'],
    ['resourceId', isAbsent(resourceId) || isUuid(resourceId), 'Send a UUID in lower case.'],
    [
      'limit',
      typeof limit === 'number' && Number.isInteger(limit) && limit >= 1 && limit <= maxListed,
      `Send a number from 1 to ${maxListed}.`,
    ],
  ];
};

/** Throws CallFailed (fieldMalformed) with every member that is not valid. */
export const mustBeFilter = (filter: NotificationFilter): void => {
  const failures = rulesOf({ tppId: undefined, resourceId: undefined, ...filter }).flatMap(
    ([path, isValid, text]) => (isValid ? [] : [fail('fieldMalformed', path, text)]),
  );
  if (failures.length > 0) throw new CallFailed(failures);
};
