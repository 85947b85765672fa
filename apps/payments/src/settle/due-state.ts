import { overdueMs } from '@xs2a/domain/payment/settlement/due';

/**
 * SQL that compares two instants, given as SQL: `later` if a payment is not due yet, `overdue` if it has been due
 * for more than a minute, otherwise `due`.
 */
export const dueState = (dueAt: string, now: string): string => `CASE
  WHEN ${dueAt} > ${now} THEN 'later'
  WHEN ${dueAt} < ${now} - interval '${overdueMs} milliseconds' THEN 'overdue'
  ELSE 'due' END`;
