import { hash, timingSafeEqual } from 'node:crypto';

const secretHash = (secret: string): Buffer => hash('sha256', secret, 'buffer');

/** Secrets with which one program proves to another that it belongs to the bank. */
export class SharedSecrets {
  private readonly hashes: readonly Buffer[];

  constructor(secrets: readonly string[]) {
    this.hashes = secrets.map(secretHash);
  }

  /** Checks a secret in constant time. */
  accepts(sent: unknown): boolean {
    if (typeof sent !== 'string') return false;
    const sentHash = secretHash(sent);
    return this.hashes.filter((known) => timingSafeEqual(known, sentHash)).length > 0;
  }
}
