/** The resources whose events are published, and the JetStream stream of each. */
export const eventStreams = { payments: 'PAYMENTS', consents: 'CONSENTS' } as const;
export type EventResource = keyof typeof eventStreams;
