import { Injectable } from '@nestjs/common';
import { introspectToken } from '@xs2a/contracts/auth.contract';
import { callFailed } from '@xs2a/domain/failure/failed';
import { CallClient } from '@xs2a/calls/client';
import { LRUCache } from 'lru-cache';
import type { AccessToken } from './access-tokens.js';

const maxRemembered = 10_000;

/**
 * The PSUs to whom user tokens belong. TPPs can read their tokens, so a token does not contain its PSU (contract
 * 4); the authorization server returns the PSU by introspection. The PSU of a grant never changes, so one
 * introspection per grant is enough.
 */
@Injectable()
export class TokenPsus {
  private readonly psuIds = new LRUCache<string, string>({ max: maxRemembered });

  constructor(private readonly callClient: CallClient) {}

  /** Returns the PSU-ID. Rejects with CallFailed: tokenRevoked if the grant has ended; dependencyDown. */
  async find({ grantId }: Pick<AccessToken, 'grantId'>, token: string): Promise<string> {
    const known = this.psuIds.get(grantId);
    if (known !== undefined) return known;
    const found = await this.callClient.call(introspectToken, { token });
    if (!found.active || found.username === undefined) throw callFailed('tokenRevoked');
    this.psuIds.set(grantId, found.username);
    return found.username;
  }
}
