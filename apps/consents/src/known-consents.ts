import type { ConsentState } from '@xs2a/domain/consent/consent-state';

/** A consent as a process saw it last. Whoever acts on it names the version, and learns when it is old. */
export interface KnownConsent {
  readonly version: number;
  readonly state: ConsentState;
}

/** The consents seen most recently, so that a call need not bring the state along each time. */
export class KnownConsents {
  private readonly byId = new Map<string, KnownConsent>();

  constructor(private readonly most = 10_000) {}

  get(consentId: string): KnownConsent | undefined {
    const known = this.byId.get(consentId);
    if (known === undefined) return undefined;
    this.byId.delete(consentId);
    this.byId.set(consentId, known);
    return known;
  }

  set(consentId: string, known: KnownConsent): void {
    this.byId.delete(consentId);
    this.byId.set(consentId, known);
    if (this.byId.size <= this.most) return;
    const oldest = this.byId.keys().next();
    if (oldest.done !== true) this.byId.delete(oldest.value);
  }
}
