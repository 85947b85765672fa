/**
 * The subjects by which a caller reaches the instances of a service one by one: `svc.payments.read` goes to one of all,
 * which NATS chooses.
 */

/** The service that answers a subject: `payments` for `svc.payments.read`. */
export const parseService = (subject: string): string => subject.split('.')[1] ?? '';

/** Every instance of a service receives an inquiry: does it work on the call with this id? */
export const inquirySubject = (service: string): string => `inquiry.${service}`;

/** A call to one instance. It ends with the call's own subject, so that the same users as may make the call may make it here. */
export const instanceSubject = (instance: string, subject: string): string =>
  `instance.${instance}.${subject}`;

/** The answer of an instance to an inquiry: it works on the call, or could take it. */
export type InquiryAnswer = { readonly inProgress: true } | { readonly instance: string };
