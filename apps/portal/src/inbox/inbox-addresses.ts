import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '@xs2a/runtime/tokens';
import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { type PortalConfig, workspaceSecrets } from '../config.js';

/** The length of an id and of a code, in bytes. */
const length = 16;
const form = /^([\w-]{22})\.([\w-]{22})$/;

/**
 * The addresses of inboxes. No inbox is stored: its id has 128 random bits, and message authentication codes (HMAC-SHA-256,
 * truncated to 128 bits, with a key derived from PORTAL_SECRET) show that the portal made it, and for which TPP. The secret
 * in the inbox's address lets anybody send; the proof lets only its TPP read.
 */
@Injectable()
export class InboxAddresses {
  private readonly keys: readonly Buffer[];

  constructor(@Inject(CONFIG) config: PortalConfig) {
    this.keys = workspaceSecrets(config).map((secret) =>
      Buffer.from(hkdfSync('sha256', secret, '', 'inbox', 32)),
    );
  }

  /** Returns the id of a new inbox. */
  newId(): string {
    return randomBytes(length).toString('base64url');
  }

  /** Returns the secret in the address of an inbox. */
  secretOf(id: string): string {
    return this.sign(id, ['receive', id]);
  }

  /** Returns the id of the inbox with this secret; undefined if the portal did not make it. */
  idOfSecret(secret: string): string | undefined {
    return this.verify(secret, (id) => ['receive', id]);
  }

  /** Returns the proof that the inbox belongs to the TPP. */
  proofOf(clientId: string, id: string): string {
    return this.sign(id, ['own', clientId, id]);
  }

  /** Returns the id of the TPP's inbox with this proof; undefined if it does not belong to the TPP. */
  idOfProof(clientId: string, proof: string): string | undefined {
    return this.verify(proof, (id) => ['own', clientId, id]);
  }

  private sign(id: string, signed: readonly string[]): string {
    const [key] = this.keys;
    if (key === undefined) throw new Error('no key for inboxes');
    return `${id}.${codeOf(key, signed)}`;
  }

  private verify(text: string, signedOf: (id: string) => readonly string[]): string | undefined {
    const [, id, code] = form.exec(text) ?? [];
    if (id === undefined || code === undefined) return undefined;
    const sent = Buffer.from(code);
    const isOurs = this.keys.some((key) => timingSafeEqual(sent, Buffer.from(codeOf(key, signedOf(id)))));
    return isOurs ? id : undefined;
  }
}

const codeOf = (key: Buffer, signed: readonly string[]): string =>
  createHmac('sha256', key).update(JSON.stringify(signed)).digest().subarray(0, length).toString('base64url');
