/**
 * The changes a TPP wants to be notified of (contract 11): `SCA` every change of an scaStatus, `PROCESS` every change of the
 * resource's status, `LAST` its final status.
 */
const notificationKinds = ['SCA', 'PROCESS', 'LAST'] as const;
export type NotificationKind = (typeof notificationKinds)[number];

/** The address for pushed changes of a payment, consent or basket, and the kinds of change to push. */
export interface NotificationRegistration {
  /** The TPP's address; it has the same origin as a registered redirect URI. */
  readonly uri: string;
  /** In the order of {@link notificationKinds}, without duplicates. Empty: no preference. */
  readonly content: readonly NotificationKind[];
}

/**
 * Without a preference, every change is sent, except while the status is RCVD, which the response to the POST
 * already contained (contract 11).
 */
export const everyChange: readonly NotificationKind[] = ['SCA', 'PROCESS'];

/** Parses `TPP-Notification-Content-Preferred`, for example `status=SCA,LAST`; undefined if malformed. */
export const parseNotificationContent = (text: string): readonly NotificationKind[] | undefined => {
  const list = /^status=(\w+(?: *, *\w+)*)$/.exec(text.trim())?.[1]?.split(/ *, */);
  if (list === undefined || !list.every((word) => notificationKinds.some((kind) => kind === word)))
    return undefined;
  return notificationKinds.filter((kind) => list.includes(kind));
};

/** The value of the `ASPSP-Notification-Content` header. */
export const notificationContentText = (content: readonly NotificationKind[]): string =>
  `status=${content.join(',')}`;

/** The state member that an event sets if it registers an address. */
export const registeredBy = ({
  notification,
}: {
  readonly notification?: NotificationRegistration;
}): { readonly notification?: NotificationRegistration } =>
  notification === undefined ? {} : { notification };
