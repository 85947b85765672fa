/**
 * The changes that a TPP wants to be notified of (contract 11): `SCA` for every change of an scaStatus, `PROCESS`
 * for every change of the resource's status, `LAST` for its final status only.
 */
const notificationKinds = ['SCA', 'PROCESS', 'LAST'] as const;
export type NotificationKind = (typeof notificationKinds)[number];

/** The address for pushed changes of a payment, consent or basket, and the kinds of change to push. */
export interface NotificationRegistration {
  /** The TPP's address, which must have the same origin as a registered redirect URI. */
  readonly uri: string;
  /** In the order of {@link notificationKinds}, without duplicates. Empty if the TPP has no preference. */
  readonly content: readonly NotificationKind[];
}

/**
 * Without a preference, every change is sent except those made while the status is RCVD, because the response to
 * the POST already contained that status (contract 11).
 */
export const everyChange: readonly NotificationKind[] = ['SCA', 'PROCESS'];

/** Parses `TPP-Notification-Content-Preferred`, for example `status=SCA,LAST`. Undefined if the header is malformed. */
export const parseNotificationContent = (text: string): readonly NotificationKind[] | undefined => {
  const list = /^status=(\w+(?: *, *\w+)*)$/.exec(text.trim())?.[1]?.split(/ *, */);
  if (list === undefined || !list.every((word) => notificationKinds.some((kind) => kind === word)))
    return undefined;
  return notificationKinds.filter((kind) => list.includes(kind));
};

/** The value of the `ASPSP-Notification-Content` header. */
export const notificationContentText = (content: readonly NotificationKind[]): string =>
  `status=${content.join(',')}`;

/** The state member to set if an event registers an address. */
export const registeredBy = ({
  notification,
}: {
  readonly notification?: NotificationRegistration;
}): { readonly notification?: NotificationRegistration } =>
  notification === undefined ? {} : { notification };
