/**
 * Which changes a TPP wants to be notified of (contract 11): `SCA` each change of a scaStatus, `PROCESS` each change of the
 * resource's status, `LAST` its final status.
 */
const notificationKinds = ['SCA', 'PROCESS', 'LAST'] as const;
export type NotificationKind = (typeof notificationKinds)[number];

/** The address to which changes of a payment, a consent or a basket are pushed, and which changes. */
export interface NotificationRegistration {
  /** The TPP's own address, of the origin of a redirect URI that it registered. */
  readonly uri: string;
  /** In the order of {@link notificationKinds}, each once; empty: no preference. */
  readonly content: readonly NotificationKind[];
}

/** Without a preference every change is sent; nothing while the status is RCVD, as the POST's own answer said (contract 11). */
export const everyChange: readonly NotificationKind[] = ['SCA', 'PROCESS'];

/** Reads `TPP-Notification-Content-Preferred`, such as `status=SCA,LAST`; undefined when it is malformed. */
export const parseNotificationContent = (text: string): readonly NotificationKind[] | undefined => {
  const list = /^status=(\w+(?: *, *\w+)*)$/.exec(text.trim())?.[1]?.split(/ *, */);
  if (list === undefined || !list.every((word) => notificationKinds.some((kind) => kind === word)))
    return undefined;
  return notificationKinds.filter((kind) => list.includes(kind));
};

/** The value of the header `ASPSP-Notification-Content`. */
export const notificationContentText = (content: readonly NotificationKind[]): string =>
  `status=${content.join(',')}`;

/** The member of a resource's state that an event sets when it registers an address; none when it does not. */
export const registeredBy = ({
  notification,
}: {
  readonly notification?: NotificationRegistration;
}): { readonly notification?: NotificationRegistration } =>
  notification === undefined ? {} : { notification };
