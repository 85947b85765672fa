import { LRUCache } from 'lru-cache';
import { hash } from 'node:crypto';
import { type CertificateForm, certificateIn } from './certificate-header.js';
import { type Qwac, type ReadQwac, readQwac, timeRefusal } from './qwac.js';
import type { CertificateRefusal } from './refusals.js';
import type { TrustAnchors } from './trust-anchors.js';

/** A client's certificate: its DER, and the parsed content. */
export interface ClientCertificate {
  readonly der: Uint8Array;
  readonly qwac: Qwac;
}
/** A certificate that grants nothing. */
interface RefusedCertificate {
  readonly refusal: CertificateRefusal;
  /** The content of a trusted certificate that is only refused because of its time. */
  readonly outOfTime?: Qwac;
}
export type Presented = ClientCertificate | RefusedCertificate;

const maxRemembered = 1000;

/** Parses client certificates and caches them by the hash of the header. */
export class ClientCertificates {
  private readonly known = new LRUCache<string, ReadQwac & { readonly der?: Uint8Array }>({
    max: maxRemembered,
  });

  constructor(
    private readonly options: {
      readonly anchors: TrustAnchors;
      readonly form: CertificateForm;
      readonly clock: { nowMs(): number };
    },
  ) {}

  /** Parses the certificate in a header and validates it completely, as of now. */
  read(header: string): Presented {
    const found = this.find(header);
    if ('refusal' in found) return { refusal: found.refusal };
    const refusal = timeRefusal(found.qwac, this.options.clock.nowMs());
    if (refusal !== undefined) return { refusal, outOfTime: found.qwac };
    return found.der === undefined ? { refusal: 'unreadable' } : { der: found.der, qwac: found.qwac };
  }

  private find(header: string): ReadQwac & { readonly der?: Uint8Array } {
    const key = hash('sha256', header, 'base64');
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const der = certificateIn(header, this.options.form);
    const read =
      der === undefined ? ({ refusal: 'unreadable' } as const) : readQwac(der, this.options.anchors);
    // Refusals are not cached: anyone can invent any number of headers, but only authorities can issue
    // certificates.
    if ('refusal' in read || der === undefined) return read;
    const found = { ...read, der };
    this.known.set(key, found);
    return found;
  }
}
