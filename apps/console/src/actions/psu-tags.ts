import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '@xs2a/runtime/tokens';
import { createHmac, hkdfSync } from 'node:crypto';
import type { ConsoleConfig } from '../config.js';

/**
 * Names PSUs in recorded actions: `psu 3f9a0c4be211`, the first 48 bits of an HMAC-SHA-256 of the PSU-ID. Its key is derived
 * (HKDF, RFC 5869) from the first secret in CONSOLE_COOKIE_SECRET. The key is not in the database, so that a reader of the
 * table, a backup or the WAL cannot find a PSU by trying PSU-IDs. Actions for one PSU have the same tag until that secret is
 * rotated. A console without pages has no secret; it records `psu` without a tag.
 */
@Injectable()
export class PsuTags {
  private readonly key: Uint8Array | undefined;

  constructor(
    @Inject(CONFIG) { CONSOLE_COOKIE_SECRET: secrets }: Pick<ConsoleConfig, 'CONSOLE_COOKIE_SECRET'>,
  ) {
    const [secret] = secrets ?? [];
    if (secret !== undefined)
      this.key = new Uint8Array(hkdfSync('sha256', secret, '', 'PSUs in recorded actions', 32));
  }

  /** Returns the tag of a PSU. */
  of(psuId: string): string {
    if (this.key === undefined) return 'psu';
    return `psu ${createHmac('sha256', this.key).update(psuId.trim()).digest('hex').slice(0, 12)}`;
  }
}
