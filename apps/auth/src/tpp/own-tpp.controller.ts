import { Controller, Inject } from '@nestjs/common';
import { Handles } from '@xs2a/calls/handles';
import type { RequestOf } from '@xs2a/contracts/call';
import {
  addRedirectUri,
  checkRedirectUriBeforeBody,
  type OwnTpp,
  readOwnTpp,
  renewSecret,
} from '@xs2a/contracts/sandbox/own-tpp.contract';
import { CallFailed, callFailed } from '@xs2a/domain/failure/failed';
import { readDto } from '@xs2a/runtime/read-dto';
import { CONFIG } from '@xs2a/runtime/tokens';
import { SHARED_TPPS } from '../tokens.js';
import { RedirectUriDto } from './redirect-uri.dto.js';
import { TppRegistry } from './tpp-registry.js';
import { hasSecret, type Tpp } from './tpp.js';

/** What a TPP reads and changes of its own registration (contract 13); only in the sandbox. */
@Controller()
export class OwnTppController {
  constructor(
    private readonly registry: TppRegistry,
    @Inject(CONFIG) private readonly config: { readonly SANDBOX: boolean },
    /** The client ids of the fixtures. All users of the sandbox have their secrets, so they stay as they are. */
    @Inject(SHARED_TPPS) private readonly shared: ReadonlySet<string>,
  ) {}

  @Handles(readOwnTpp)
  async read({ tppId }: RequestOf<typeof readOwnTpp>): Promise<OwnTpp> {
    return toOwnTpp(await this.find(tppId));
  }

  @Handles(addRedirectUri)
  async addRedirectUri({ tppId, body }: RequestOf<typeof addRedirectUri>): Promise<OwnTpp> {
    await this.findChangeable(tppId);
    const read = readDto(RedirectUriDto, body);
    if ('failures' in read) throw new CallFailed(read.failures);
    return toOwnTpp(await this.registry.addRedirectUri(tppId, read.dto.redirectUri));
  }

  @Handles(checkRedirectUriBeforeBody)
  async checkBeforeBody({
    tppId,
  }: RequestOf<typeof checkRedirectUriBeforeBody>): Promise<Record<string, never>> {
    await this.findChangeable(tppId);
    return {};
  }

  @Handles(renewSecret)
  async renewSecret({ tppId }: RequestOf<typeof renewSecret>): Promise<{ readonly clientSecret: string }> {
    if (!hasSecret(await this.findChangeable(tppId))) throw callFailed('registrationWithoutSecret');
    return { clientSecret: await this.registry.rotateSecret(tppId) };
  }

  private async find(tppId: string): Promise<Tpp> {
    if (!this.config.SANDBOX) throw callFailed('pathUnknown');
    const tpp = await this.registry.find(tppId);
    if (tpp === undefined) throw callFailed('resourceUnknown');
    return tpp;
  }

  private async findChangeable(tppId: string): Promise<Tpp> {
    const tpp = await this.find(tppId);
    if (this.shared.has(tppId)) throw callFailed('registrationShared');
    return tpp;
  }
}

const toOwnTpp = ({ clientId, name, roles, redirectUris, authMethod, jwks, status }: Tpp): OwnTpp => ({
  clientId,
  name,
  roles,
  redirectUris,
  tokenEndpointAuthMethod: authMethod,
  jwks,
  status,
});
