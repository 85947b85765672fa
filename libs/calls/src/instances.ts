/**
 * The subjects for calls to a specific instance of a service; on `svc.payments.read`, NATS chooses one of all
 * instances.
 */

/** The service that handles a subject: `payments` for `svc.payments.read`. */
export const parseService = (subject: string): string => subject.split('.')[1] ?? '';

/** An inquiry that every instance of a service receives: is it working on the call with this id? */
export const inquirySubject = (service: string): string => `inquiry.${service}`;

/**
 * The subject for a call to a specific instance. It ends with the call's normal subject, so that the same users
 * are permitted to make it.
 */
export const instanceSubject = (instance: string, subject: string): string =>
  `instance.${instance}.${subject}`;

/** The reply of an instance to an inquiry: it is working on the call, or it could take the call. */
export type InquiryAnswer = { readonly inProgress: true } | { readonly instance: string };
