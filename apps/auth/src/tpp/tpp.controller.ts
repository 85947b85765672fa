import { Controller, Inject } from '@nestjs/common';
import { type NewTpp, registerTpp, setTppStatus } from '@xs2a/contracts/auth.contract';
import { CallFailed, callFailed } from '@xs2a/messaging/call-failed';
import { Handles } from '@xs2a/messaging/handles';
import { CONFIG } from '@xs2a/runtime/tokens';
import { newTpp } from './new-tpp.js';
import { TppRegistry } from './tpp-registry.js';

/** Registration of TPPs, in the sandbox only: elsewhere the bank's own process does it. */
@Controller()
export class TppController {
  constructor(
    private readonly registry: TppRegistry,
    @Inject(CONFIG) private readonly config: { readonly SANDBOX: boolean },
  ) {}

  @Handles(registerTpp)
  async register(request: NewTpp): Promise<{ readonly clientId: string; readonly clientSecret?: string }> {
    this.refuseOutsideSandbox();
    const checked = await newTpp(request);
    if ('failures' in checked) throw new CallFailed(checked.failures);
    return this.registry.register(checked.valid);
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
