import { Controller } from '@nestjs/common';
import { type Introspection, introspectToken } from '@xs2a/contracts/auth.contract';
import type { RequestOf } from '@xs2a/contracts/call';
import { Handles } from '@xs2a/calls/handles';
import { IssuedTokens } from './issued-tokens.js';

/** Used only by the gateway: NATS permissions allow no other account to call it, and TPPs have no access to NATS. */
@Controller()
export class IntrospectionController {
  constructor(private readonly tokens: IssuedTokens) {}

  @Handles(introspectToken)
  async introspect({ token }: RequestOf<typeof introspectToken>): Promise<Introspection> {
    return this.tokens.introspect(token);
  }
}
