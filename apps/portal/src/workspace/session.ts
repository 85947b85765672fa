import { Inject, Injectable } from '@nestjs/common';
import { workspaceCookie } from '@xs2a/contracts/portal/portal-paths';
import { Clock } from '@xs2a/runtime/clock';
import { randomToken } from '@xs2a/runtime/ids';
import { CONFIG } from '@xs2a/runtime/tokens';
import { EncryptJWT, errors, jwtDecrypt } from 'jose';
import { hkdfSync } from 'node:crypto';
import { type PortalConfig, workspaceSecrets } from '../config.js';

/** What a browser keeps for its user, encrypted: the TPP that signed in, if any, and the CSRF token of its forms. */
export interface Session {
  /** Each form sends it back. */
  readonly csrf: string;
  readonly tpp?: Credentials;
}
export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** A session ends an hour after it began, in real time: the sandbox's users move the other clock. */
export const sessionSeconds = 3600;

const cipher = { alg: 'dir', enc: 'A256GCM' } as const;

/**
 * The sessions of the workspace. A session is its cookie, encrypted (RFC 7516) with a key derived from PORTAL_SECRET, so that
 * all instances of the portal accept it and none stores it.
 */
@Injectable()
export class Sessions {
  /** The name of the cookie. */
  readonly cookieName: string;
  private readonly keys: readonly Uint8Array[];
  private readonly clock = new Clock(false);

  constructor(@Inject(CONFIG) config: PortalConfig) {
    this.cookieName = workspaceCookie(config.BASE_URL);
    this.keys = workspaceSecrets(config).map(
      (secret) => new Uint8Array(hkdfSync('sha256', secret, '', 'workspace session', 32)),
    );
  }

  /** Begins a session with a new CSRF token. One from before the sign-in is no longer valid, which prevents session fixation. */
  begin(tpp?: Credentials): Session {
    return { csrf: randomToken(24), ...(tpp === undefined ? {} : { tpp }) };
  }

  /** Returns the value of the cookie. */
  async seal(session: Session): Promise<string> {
    const [key] = this.keys;
    if (key === undefined) throw new Error('no key for sessions');
    const now = Math.floor(this.clock.nowMs() / 1000);
    return new EncryptJWT({ ...session })
      .setProtectedHeader(cipher)
      .setExpirationTime(now + sessionSeconds)
      .encrypt(key);
  }

  /** Returns the session that a header `Cookie` names; undefined if there is none, or if {@link open} finds none. */
  async find(header: string | undefined): Promise<Session | undefined> {
    const cookie = (header ?? '')
      .split(';')
      .map((pair) => pair.trim())
      .find((pair) => pair.startsWith(`${this.cookieName}=`))
      ?.slice(this.cookieName.length + 1);
    return cookie === undefined ? undefined : this.open(cookie);
  }

  /** Returns the session of a cookie; undefined if it has ended or was not made here. */
  async open(cookie: string): Promise<Session | undefined> {
    for (const key of this.keys) {
      try {
        const { payload } = await jwtDecrypt<Session>(cookie, key, {
          keyManagementAlgorithms: [cipher.alg],
          contentEncryptionAlgorithms: [cipher.enc],
          currentDate: new Date(this.clock.nowMs()),
          requiredClaims: ['exp'],
        });
        return { csrf: payload.csrf, ...(payload.tpp === undefined ? {} : { tpp: payload.tpp }) };
      } catch (error) {
        if (!(error instanceof errors.JOSEError)) throw error;
      }
    }
    return undefined;
  }
}
