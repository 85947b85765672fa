import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '@xs2a/runtime/tokens';
import type { AuthConfig } from '../../config.js';
import { Clock } from '@xs2a/runtime/clock';
import { randomToken } from '@xs2a/runtime/ids';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { cookieIn } from './cookies.js';

/** How many seconds a browser stays known after the last SCA completed in it. */
const knownSeconds = 180 * 24 * 60 * 60;

const form = /^([\w-]{22})\.(\d{1,12})\.([\w-]{43})$/;

/**
 * Browsers in which a PSU has completed SCA. Each browser has one signed cookie per PSU, whose name and value do
 * not reveal the PSU. The cookie grants no access; it only lets failures in this browser be counted separately
 * from those of strangers. If AUTH_COOKIE_SECRET changes, all browsers become unknown.
 */
@Injectable()
export class KnownBrowsers {
  private readonly key: string;

  constructor(
    private readonly clock: Clock,
    @Inject(CONFIG) config: Pick<AuthConfig, 'AUTH_COOKIE_SECRET' | 'BASE_URL'>,
  ) {
    const isSecure = config.BASE_URL.startsWith('https:');
    this.key = `browsers:${config.AUTH_COOKIE_SECRET}`;
    this.prefix = isSecure ? '__Host-' : '';
    this.attributes = `; Path=/; Max-Age=${knownSeconds}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  }

  private readonly prefix: string;
  private readonly attributes: string;

  /** Returns the id of the browser that sent this `Cookie` header, if this PSU has completed SCA in it. */
  find(cookies: string | undefined, psuId: string): string | undefined {
    const [, id = '', until = '', mac = ''] = form.exec(cookieIn(cookies, this.nameFor(psuId)) ?? '') ?? [];
    const isOurs = timingSafeEqual(
      this.mac('value', psuId, id, until),
      Buffer.from(mac.padEnd(43), 'latin1'),
    );
    return isOurs && Number(until) * 1000 > this.clock.nowMs() ? id : undefined;
  }

  /** Returns the `Set-Cookie` header to send after a completed SCA; a known browser keeps its id. */
  cookieFor(cookies: string | undefined, psuId: string): string {
    const id = this.find(cookies, psuId) ?? randomToken(16);
    const until = String(Math.floor(this.clock.nowMs() / 1000) + knownSeconds);
    const mac = this.mac('value', psuId, id, until).toString('latin1');
    return `${this.nameFor(psuId)}=${id}.${until}.${mac}${this.attributes}`;
  }

  private nameFor(psuId: string): string {
    return `${this.prefix}xs2a_known_${this.mac('name', psuId).toString('latin1').slice(0, 16)}`;
  }

  private mac(...parts: readonly string[]): Buffer {
    const text = createHmac('sha256', this.key).update(JSON.stringify(parts)).digest('base64url');
    return Buffer.from(text, 'latin1');
  }
}
