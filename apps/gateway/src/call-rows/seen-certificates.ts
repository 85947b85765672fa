import type { SeenCertificate } from '@xs2a/contracts/console.contract';
import type { FastifyRequest } from 'fastify';

/**
 * When the certificate that the caller presented ends or has ended, in epoch milliseconds. Undefined if there was none that can
 * be trusted, or if it is another organisation's, which says nothing about the caller.
 */
export const certificateEnd = ({
  caller,
  clientCertificate,
}: Pick<FastifyRequest, 'caller' | 'clientCertificate'>): number | undefined => {
  if (clientCertificate === undefined || caller === undefined) return undefined;
  const qwac = 'refusal' in clientCertificate ? clientCertificate.outOfTime : clientCertificate.qwac;
  return qwac?.organizationIdentifier === caller.tpp.organizationIdentifier ? qwac?.validTo : undefined;
};

/** The certificate of each TPP's latest call. */
export class SeenCertificates {
  private readonly latest = new Map<string, { readonly endsAtMs: number; readonly seenAtMs: number }>();

  note(tppId: string, endsAtMs: number, seenAtMs: number): void {
    this.latest.set(tppId, { endsAtMs, seenAtMs });
  }

  /** Returns what was noted since the last time. */
  take(): readonly SeenCertificate[] {
    const seen = [...this.latest].map(([tppId, { endsAtMs, seenAtMs }]) => ({
      tppId,
      endsAt: new Date(endsAtMs).toISOString(),
      seenAt: new Date(seenAtMs).toISOString(),
    }));
    this.latest.clear();
    return seen;
  }
}
