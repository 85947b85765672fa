/**
 * The subjects for calls to a specific instance of a service. For a normal subject such as `svc.payments.read`,
 * NATS chooses one of all instances.
 */

/** The service that handles a subject, for example `payments` for `svc.payments.read`. */
export const parseService = (subject: string): string => subject.split('.')[1] ?? '';

/**
 * The subject of an inquiry, which every instance of a service receives and which asks if it is working on the
 * call with a given id.
 */
export const inquirySubject = (service: string): string => `inquiry.${service}`;

/**
 * The subject for a call to a specific instance. It ends with the call's normal subject, so that the same users
 * have permission to use it.
 */
export const instanceSubject = (instance: string, subject: string): string =>
  `instance.${instance}.${subject}`;

/** The reply of an instance to an inquiry: either it is already working on the call, or it could take it. */
export type InquiryAnswer = { readonly inProgress: true } | { readonly instance: string };
