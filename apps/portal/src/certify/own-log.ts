import type { RequestDetails } from '@xs2a/contracts/console.contract';
import type { OwnNotification } from '@xs2a/contracts/push/own-notifications.contract';
import { isJsonObject } from '@xs2a/domain/form/form-checks';
import type { OwnPayment } from '../own-things/own-things.js';

/** What a TPP did in the last 24 hours, as the API shows it to that TPP. */
export interface OwnLog {
  /** Oldest first. */
  readonly calls: readonly RequestDetails[];
  /**
   * Calls that the portal's workspace sent for the TPP. Certify never accepts such a call as evidence of what the
   * application does.
   */
  readonly ofWorkspace: readonly RequestDetails[];
  /** False if there are older calls that were not read. */
  readonly isWhole: boolean;
  /** The number of calls that are not compared, because the sandbox did not store their headers and bodies. */
  readonly notStored: number;
  readonly notifications: readonly OwnNotification[];
  readonly payments: readonly OwnPayment[];
  /** Real time, in epoch milliseconds. */
  readonly nowMs: number;
}

export type Call = RequestDetails;
export type Json = Readonly<Record<string, unknown>>;

export const atMs = ({ time }: Call): number => Date.parse(time);
export const urlOf = ({ request }: Call): string => request?.url ?? '';
export const headerOf = ({ request }: Call, name: string): string | undefined => request?.headers[name];
export const bodyOf = ({ request }: Call): string => request?.body ?? '';
export const isDone = ({ status }: Call): boolean => status < 300;

const parsed = (text: string | undefined): Json => {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return isJsonObject(value) ? value : {};
  } catch {
    // A body that was cut, or none.
    return {};
  }
};
/** The body that was sent, as JSON. */
export const sentIn = (call: Call): Json => parsed(call.request?.body);
/** The body of the answer, as JSON. */
export const answerIn = (call: Call): Json => parsed(call.response?.body);

/** What identifies an attempt: Idempotency-Key, or X-Request-ID in its place (contract 2). */
export const keyOf = (call: Call): string | undefined =>
  headerOf(call, 'idempotency-key') ?? headerOf(call, 'x-request-id');

const ids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;
/** The payment, consent or basket that a call creates or names in its path. */
export const resourceOf = (call: Call): string | undefined => {
  const { paymentId, consentId, basketId } = answerIn(call);
  const created = [paymentId, consentId, basketId].find((id) => typeof id === 'string');
  return created ?? ids.exec(urlOf(call).split('?', 1)[0] ?? '')?.[0];
};

/** The object in a member of a JSON object; empty if there is none. */
export const memberOf = (json: Json, name: string): Json => {
  const value = json[name];
  return isJsonObject(value) ? value : {};
};
