import { Controller, Inject } from '@nestjs/common';
import { registerTpp, setTppStatus } from '@xs2a/contracts/auth.contract';
import { attemptFailures, type RequestOf } from '@xs2a/contracts/call';
import { CallFailed, callFailed } from '@xs2a/messaging/call-failed';
import { Handles } from '@xs2a/messaging/handles';
import { CONFIG } from '@xs2a/runtime/tokens';
import { namedAttempt } from '@xs2a/postgres/once';
import { type RegisteredTpp, TppRegistry } from './tpp-registry.js';

/** Registration of TPPs, in the sandbox only: elsewhere the bank's own process does it. */
@Controller()
export class TppController {
  constructor(
    private readonly registry: TppRegistry,
    @Inject(CONFIG) private readonly config: { readonly SANDBOX: boolean },
  ) {}

  @Handles(registerTpp)
  async register({ attempt, body }: RequestOf<typeof registerTpp>): Promise<RegisteredTpp> {
    this.refuseOutsideSandbox();
    const outcome = await this.registry.register(body, namedAttempt('', attempt));
    if ('taken' in outcome) throw new CallFailed([attemptFailures[outcome.taken]]);
    if ('failures' in outcome.answer) throw new CallFailed(outcome.answer.failures);
    return outcome.answer;
  }

  @Handles(setTppStatus)
  async setStatus(request: {
    readonly clientId: string;
    readonly status: 'active' | 'blocked';
  }): Promise<Record<string, never>> {
    this.refuseOutsideSandbox();
    if (!['active', 'blocked'].includes(request.status))
      throw callFailed('fieldMalformed', 'status', 'Send "blocked" or "active".');
    await this.registry.setStatus(request.clientId, request.status);
    return {};
  }

  private refuseOutsideSandbox(): void {
    if (!this.config.SANDBOX) throw callFailed('pathUnknown');
  }
}
