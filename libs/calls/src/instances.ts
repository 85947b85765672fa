/**
 * The subjects by which a caller reaches the instances of a service one by one: `svc.payments.read` goes to one of all,
 * which NATS chooses.
 */

/** The service that answers a subject: `payments` for `svc.payments.read`. */
export const serviceOf = (subject: string): string => subject.split('.')[1] ?? '';

/** Every instance of a service hears what is published here: does it work on the call with this place for its answer? */
export const inquirySubject = (service: string): string => `inquiry.${service}`;

/** A call to one instance. It ends with the call's own subject, so that who may make the call may make it here, and nobody else. */
export const instanceSubject = (instance: string, subject: string): string =>
  `instance.${instance}.${subject}`;

/** The answer of an instance to an inquiry: it works on the call, or could take it. */
export type InquiryAnswer = { readonly inProgress: true } | { readonly instance: string };
