import { hash, timingSafeEqual } from 'node:crypto';

const secretHash = (secret: string): Buffer => hash('sha256', secret, 'buffer');

/** Secrets that prove from one program to another that the sender belongs to the bank. */
export class SharedSecrets {
  private readonly hashes: readonly Buffer[];

  constructor(secrets: readonly string[]) {
    this.hashes = secrets.map(secretHash);
  }

  /** True if the secret is one of these; compares in constant time. */
  accepts(sent: unknown): boolean {
    if (typeof sent !== 'string') return false;
    const sentHash = secretHash(sent);
    return this.hashes.filter((known) => timingSafeEqual(known, sentHash)).length > 0;
  }
}
