import type { LateInstantRef } from '@xs2a/contracts/instant/late-instants.contract';
import { isUuid } from '@xs2a/domain/text/uuid';

/** The id under which the command and the record of actions name the payment: `ID`, or `ID#3` for an entry. */
export const lateInstantId = ({ paymentId, number }: LateInstantRef): string =>
  number === null ? paymentId : `${paymentId}#${number}`;

/** Returns undefined for a text that is no such id. */
export const parseLateInstantId = (text: string): LateInstantRef | undefined => {
  const [, id = '', number] = /^([\da-f-]{36})(?:#([1-9]\d{0,4}))?$/.exec(text.toLowerCase()) ?? [];
  if (!isUuid(id)) return undefined;
  return { paymentId: id, number: number === undefined ? null : Number(number) };
};
