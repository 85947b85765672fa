/** The services, by the name of their deployment. At least one instance of each is expected to run. */
export const serviceNames = [
  'gateway',
  'auth',
  'consents',
  'accounts',
  'funds-confirmation',
  'payments',
  'settlement-worker',
  'notifications',
  'console',
  'portal',
] as const;
export type ServiceName = (typeof serviceNames)[number];

/** The name of the bank's core system in logs, metrics and reports. */
export const coreBankName = 'core-bank';

/** Callees whose name is not the second word of their subjects. */
const otherNames: Readonly<Record<string, string>> = { settlement: 'settlement-worker', bank: coreBankName };

/** Returns the name of the service, or of the core bank, that handles the calls on a subject such as `svc.payments.read`. */
export const calleeOf = (subject: string): string => {
  const word = subject.split('.')[1] ?? '';
  return otherNames[word] ?? word;
};
