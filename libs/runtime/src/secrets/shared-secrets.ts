import { hash, timingSafeEqual } from 'node:crypto';

const secretHash = (secret: string): Buffer => hash('sha256', secret, 'buffer');

/** Secrets by which one program proves to another that it is the bank's. */
export class SharedSecrets {
  private readonly hashes: readonly Buffer[];

  constructor(secrets: readonly string[]) {
    this.hashes = secrets.map(secretHash);
  }

  /** Is what was sent one of them? Takes the same time whatever it is. */
  accepts(sent: unknown): boolean {
    if (typeof sent !== 'string') return false;
    const sentHash = secretHash(sent);
    return this.hashes.filter((known) => timingSafeEqual(known, sentHash)).length > 0;
  }
}
