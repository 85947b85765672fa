import { Controller, Inject } from '@nestjs/common';
import {
  addTpp,
  changeTppStatus,
  checkTppBeforeBody,
  listTpps,
  registerTpp,
  rotateSecret,
  setTppStatus,
  type TppView,
} from '@xs2a/contracts/auth.contract';
import { idempotencyFailures, type RequestOf } from '@xs2a/contracts/call';
import { CallFailed, callFailed } from '@xs2a/domain/failure/failed';
import { Handles } from '@xs2a/calls/handles';
import { CONFIG } from '@xs2a/runtime/tokens';
import { type OwnedKey, toOwnedKey } from '@xs2a/postgres/idempotent-execution';
import { SHARED_TPPS } from '../tokens.js';
import { type RegisteredTpp, TppRegistry } from './tpp-registry.js';

/**
 * TPP registration: open to anyone in the sandbox, and to the bank's operator in any environment
 * (docs/how-to/register-a-tpp.md).
 */
@Controller()
export class TppController {
  constructor(
    private readonly registry: TppRegistry,
    @Inject(CONFIG) private readonly config: { readonly SANDBOX: boolean },
    /** The client ids of the fixtures. Every user of the sandbox knows the secrets of these TPPs. */
    @Inject(SHARED_TPPS) private readonly shared: ReadonlySet<string>,
  ) {}

  @Handles(registerTpp)
  async register({ idempotencyKey, body }: RequestOf<typeof registerTpp>): Promise<RegisteredTpp> {
    this.refuseOutsideSandbox();
    return this.registered(body, toOwnedKey('', idempotencyKey));
  }

  @Handles(checkTppBeforeBody)
  async checkBeforeBody({
    idempotencyKey,
  }: RequestOf<typeof checkTppBeforeBody>): Promise<Record<string, never>> {
    this.refuseOutsideSandbox();
    const taken = await this.registry.checkKey(toOwnedKey('', idempotencyKey));
    if (taken !== undefined) throw new CallFailed([idempotencyFailures[taken]]);
    return {};
  }

  @Handles(setTppStatus)
  async setStatus({
    isSandboxShared,
    ...request
  }: RequestOf<typeof setTppStatus>): Promise<Record<string, never>> {
    this.refuseOutsideSandbox();
    if (isSandboxShared === true && this.shared.has(request.clientId)) throw callFailed('registrationShared');
    await this.changeStatus(request);
    return {};
  }

  @Handles(addTpp)
  async add({ body }: RequestOf<typeof addTpp>): Promise<RegisteredTpp> {
    return this.registered(body, undefined);
  }

  @Handles(listTpps)
  async list(): Promise<{ readonly tpps: readonly TppView[] }> {
    return { tpps: await this.registry.list() };
  }

  @Handles(changeTppStatus)
  async changeStatus({ clientId, status }: RequestOf<typeof changeTppStatus>): Promise<TppView> {
    if (!['active', 'blocked'].includes(status))
      throw callFailed('fieldMalformed', 'status', 'Send "blocked" or "active".');
    return this.registry.setStatus(clientId, status);
  }

  @Handles(rotateSecret)
  async rotate({ clientId }: RequestOf<typeof rotateSecret>): Promise<{ readonly clientSecret: string }> {
    return { clientSecret: await this.registry.rotateSecret(clientId) };
  }

  private async registered(body: unknown, idempotencyKey: OwnedKey | undefined): Promise<RegisteredTpp> {
    const outcome = await this.registry.register(body, idempotencyKey);
    if ('taken' in outcome) throw new CallFailed([idempotencyFailures[outcome.taken]]);
    if ('failures' in outcome.answer) throw new CallFailed(outcome.answer.failures);
    return outcome.answer;
  }

  private refuseOutsideSandbox(): void {
    if (!this.config.SANDBOX) throw callFailed('pathUnknown');
  }
}
