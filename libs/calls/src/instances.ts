/**
 * The subjects for calls to a single instance of a service: `svc.payments.read` reaches one of all instances,
 * chosen by NATS.
 */

/** The service that handles a subject: `payments` for `svc.payments.read`. */
export const parseService = (subject: string): string => subject.split('.')[1] ?? '';

/** Every instance of a service receives an inquiry: is it working on the call with this id? */
export const inquirySubject = (service: string): string => `inquiry.${service}`;

/** A call to one instance. It ends with the call's own subject, so that the same users are permitted to make it. */
export const instanceSubject = (instance: string, subject: string): string =>
  `instance.${instance}.${subject}`;

/** The reply of an instance to an inquiry: it is working on the call, or could take it. */
export type InquiryAnswer = { readonly inProgress: true } | { readonly instance: string };
