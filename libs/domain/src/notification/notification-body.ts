import type { StatusChange } from './status-notification.js';

/** The resource that a notification is about. */
export interface NotifiedResource {
  readonly idName: 'paymentId' | 'consentId' | 'basketId';
  readonly statusName: 'transactionStatus' | 'consentStatus';
  readonly id: string;
  /** The path of the resource, for example `/v1/consents/…`. */
  readonly path: string;
}

/** The JSON body of the notification that is sent to the TPP by POST (contract 11). `timestamp` is an ISO instant. */
export const notificationBody = (
  { idName, statusName, id, path }: NotifiedResource,
  { status, fundsAvailable, reasonCode, authorisationId, scaStatus, transactionId }: StatusChange,
  timestamp: string,
) => ({
  [idName]: id,
  [statusName]: status,
  fundsAvailable,
  reasonCode,
  authorisationId,
  scaStatus,
  transactionId,
  timestamp,
  _links: {
    self: { href: path },
    status: { href: `${path}/status` },
    ...(authorisationId === undefined
      ? {}
      : { scaStatus: { href: `${path}/authorisations/${authorisationId}` } }),
  },
});
